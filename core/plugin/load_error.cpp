#include "plugin/load_error.hpp"

#include <fmt/format.h>

#include <boost/core/demangle.hpp>
#include <optional>

namespace parley {
namespace {

constexpr std::string_view kNoLibrary = ": cannot open shared object file";
constexpr std::string_view kNoSymbol = "undefined symbol: ";
constexpr std::string_view kNoVersion = ": version `";

std::optional<std::string> missing_library(std::string_view said) {
  const auto end = said.find(kNoLibrary);
  if (end == std::string_view::npos) return std::nullopt;
  return fmt::format(
      "needs the library '{}', which was not found: install it, or put its folder on the "
      "plugin's runpath (or into LD_LIBRARY_PATH)",
      said.substr(0, end));
}

std::optional<std::string> missing_symbol(std::string_view said) {
  const auto start = said.find(kNoSymbol);
  if (start == std::string_view::npos) return std::nullopt;
  const std::string_view rest = said.substr(start + kNoSymbol.size());
  const std::string symbol(rest.substr(0, rest.find_first_of(", \t\n(")));
  return fmt::format(
      "needs '{}', which nobody defines (symbol {}): link what defines it, or rebuild the "
      "plugin against this parley",
      boost::core::demangle(symbol.c_str()), symbol);
}

std::optional<std::string> missing_version(std::string_view said) {
  const auto start = said.find(kNoVersion);
  if (start == std::string_view::npos) return std::nullopt;
  const std::string_view rest = said.substr(start + kNoVersion.size());
  return fmt::format("needs version {} of '{}', and the one here lacks it: build the plugin on this system",
                     rest.substr(0, rest.find('\'')), said.substr(0, start));
}

}  // namespace

PluginError explain_load_error(const std::filesystem::path& file, std::string_view said) {
  for (const auto explain : {missing_library, missing_symbol, missing_version})
    if (const auto reason = explain(said)) return {file, *reason};
  return {file, fmt::format("can't be loaded ({}): build or copy it again", said)};
}

}  // namespace parley
