#pragma once

#include <filesystem>
#include <functional>
#include <vector>

namespace parley::command {

/// What is run: with the libraries that are held out of it. Gives the exit code.
using SupervisedBackend = std::function<int(const std::vector<std::filesystem::path>& held_out)>;

/// Runs a backend in a child of this process, and again each time it dies of a signal, without the plugin
/// whose code it died in; gives up after the fifth time within ten minutes. SIGTERM, SIGINT and SIGHUP are
/// passed on. Call while there is only one thread.
/// @returns the exit code of the last; in the child that of the backend, which may also throw
int supervise(const SupervisedBackend& backend);

}  // namespace parley::command
