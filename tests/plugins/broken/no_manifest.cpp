// Exports something, but no manifest.
extern "C" __attribute__((visibility("default"))) int parley_plugin_of_another_kind();

int parley_plugin_of_another_kind() {
  return 1;
}
