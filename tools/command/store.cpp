// What is done to the file of the store.
#include <fmt/format.h>

#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "config/store_file.hpp"
#include "evidence/derive.hpp"
#include "host.hpp"
#include "kept.hpp"
#include "store/admin.hpp"
#include "store/forget.hpp"
#include "terminal.hpp"

namespace parley::command {
namespace {

int check(const std::filesystem::path& file) {
  const auto faults = check_store(file);
  for (const auto& fault : faults) print(fault + "\n");
  if (faults.empty()) return print(fmt::format("{}: all is well\n", file.string())), kGood;
  complain(
      fmt::format("'{}' is damaged: restore a backup, or save what can be read with `parley store export`",
                  file.string()));
  return kDiffers;
}

int rebuild(const std::filesystem::path& file) {
  const std::size_t count = evidence::rebuild(file);
  return print(fmt::format("derived from {} events\n", count)), kGood;
}

int export_to(const std::filesystem::path& file, const std::string& to) {
  if (to.empty()) {
    export_store(file, [](std::string_view line) { print(std::string(line) + "\n"); });
    return kGood;
  }
  std::ofstream out(to, std::ios::binary);
  const std::size_t count = export_store(file, [&](std::string_view line) { out << line << '\n'; });
  out.close();
  if (!out) throw std::runtime_error(fmt::format("'{}' can't be written", to));
  complain(fmt::format("{} lines written to '{}'", count, to));
  return kGood;
}

int import_from(const std::filesystem::path& file, const std::string& from) {
  std::size_t count = 0;
  if (from.empty()) {
    count = import_store(file, std::cin);
  } else {
    std::ifstream in(from, std::ios::binary);
    if (!in) throw std::runtime_error(fmt::format("'{}' can't be read", from));
    count = import_store(file, in);
  }
  complain(fmt::format("{} lines taken into '{}'", count, file.string()));
  return kGood;
}

}  // namespace

int forget_kept(const GlobalOptions& global, const ForgetOptions& options) {
  if (!options.all && options.session.empty() && options.owner.empty()) {
    complain("nothing is forgotten: say what, with --session ID, --owner NAME or --all");
    return kFailed;
  }
  const auto told = [](const auto& turns, const auto& events, const auto& sessions, const auto& values,
                       const auto& scheduled) {
    print(fmt::format("forgotten: {} turns, {} events, {} sessions, {} values, {} things to come\n", turns,
                      events, sessions, values, scheduled));
  };
  if (!options.server.url.empty()) {
    nlohmann::json what = nlohmann::json::object();
    if (options.all) what["all"] = true;
    if (!options.session.empty()) what["session_id"] = options.session;
    if (!options.owner.empty()) what["owner"] = options.owner;
    const auto gone = ServerLink(options.server).post("/v1/forget", what);
    told(gone.value("turns", 0), gone.value("events", 0), gone.value("sessions", 0), gone.value("values", 0),
         gone.value("scheduled", 0));
    return kGood;
  }
  const Setup setup = load_setup(global);
  ForgetWhat what;
  what.everything = options.all;
  what.session_id = options.session;
  what.owner = options.owner;
  const Forgotten gone = forget(store_file(setup.config.store, setup.options.config_file), what);
  told(gone.turns, gone.events, gone.sessions, gone.values, gone.scheduled);
  return kGood;
}

int store(const GlobalOptions& global, const StoreOptions& options) {
  const Setup setup = load_setup(global);
  const auto file = store_file(setup.config.store, setup.options.config_file);
  if (options.does == "check") return check(file);
  if (options.does == "rebuild") return rebuild(file);
  if (options.does == "export") return export_to(file, options.file);
  if (options.does == "import") return import_from(file, options.file);
  if (options.does == "backup") {
    if (options.file.empty()) {
      complain("a backup needs the name of a new file: parley store backup FILE");
      return kFailed;
    }
    back_up_store(file, options.file);
    complain(fmt::format("'{}' holds what '{}' held", options.file, file.string()));
    return kGood;
  }
  const auto [before, after] = compact_store(file);
  complain(fmt::format("'{}' had {} bytes and has {}", file.string(), before, after));
  return kGood;
}

}  // namespace parley::command
