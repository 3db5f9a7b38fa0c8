#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "settings/document.hpp"

namespace parley::config {

/// One level of the path of an override.
struct Segment {
  Segment(std::string word, bool is_whole_name) : text(std::move(word)), is_whole(is_whole_name) {}
  std::string text;
  bool is_whole;  ///< Never to be joined with its neighbours: it was in quotes, or comes from a variable.
};

/// A single value that is set from outside the file.
struct Override {
  Override() = default;
  std::string origin;  ///< `--set a.b` or the variable's name.
  std::vector<Segment> path;
  bool is_variable = false;
  Node value;
};

/// The overrides among the variables, by name; `top` are the keys at the top level.
std::vector<Override> from_environment(const std::map<std::string, std::string>& variables,
                                       const std::vector<std::string>& top, std::vector<Problem>& problems);

/// Those of `--set`, in the order given.
std::vector<Override> from_settings(const std::vector<std::string>& settings, std::vector<Problem>& problems);

/// Whether the keys of the map at that path are names, which may hold dots.
using HasNames = std::function<bool(const std::vector<std::string>& keys)>;

/// Sets the value in the document; maps on the way come into being.
void apply(Override change, Node& root, const HasNames& has_names, std::vector<Problem>& problems);

}  // namespace parley::config
