#pragma once

#include <optional>
#include <string>

#include "kept.hpp"

namespace CLI {
class App;
}

namespace parley::command {

/// What may be asked of what is kept.
struct KeptRequest {
  KeptRequest() = default;
  KeptOptions kept;
  StoreOptions store;
  ForgetOptions forget;
  RecallOptions recall;
  ReplayOptions replay;
};
/// The commands `sessions`, `log`, `transcript`, `recall`, `replay`, `forget` and `store`.
void add_kept_commands(CLI::App& app, KeptRequest& request);
/// Its exit code; nothing: `name` is none of them.
std::optional<int> run_kept_command(const std::string& name, const GlobalOptions& global,
                                    const KeptRequest& request);

}  // namespace parley::command
