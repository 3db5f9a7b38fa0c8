#pragma once

#include <cstdlib>

namespace {

/// Leaves a trace when a plugin that must be refused unseen is loaded all the same.
[[gnu::constructor]] void note_that_it_ran() {
  setenv("PARLEY_REFUSED_PLUGIN_RAN", "1", 1);  // NOLINT(concurrency-mt-unsafe): tests load on one thread
}

}  // namespace
