__attribute__((visibility("default"))) int absent_library();

int absent_library() {
  return 1;
}
