#include "task.hpp"

#include <algorithm>

namespace parley::guide {
namespace {

bool is_known(const std::map<std::string, bool>& known, const std::string& name) {
  return known.contains(name);
}

/// Calls `text(part)` for what is outside of braces and `name(part)` for what is inside.
template <class OnText, class OnName>
void walk(std::string_view text, OnText on_text, OnName on_name) {
  while (!text.empty()) {
    const auto open = text.find('{');
    const auto shut = open == std::string_view::npos ? open : text.find('}', open);
    if (shut == std::string_view::npos) return on_text(text);
    on_text(text.substr(0, open));
    on_name(text.substr(open + 1, shut - open - 1));
    text.remove_prefix(shut + 1);
  }
}

}  // namespace

std::string_view to_string(Domain domain) noexcept {
  return domain == Domain::kCooking ? "cooking" : "diy";
}

std::optional<Domain> domain_of(std::string_view word) noexcept {
  if (word == "cooking") return Domain::kCooking;
  if (word == "diy") return Domain::kDiy;
  return std::nullopt;
}

bool Rule::holds(const std::map<std::string, bool>& known) const {
  const auto part_holds = [&](const Rule& part) { return part.holds(known); };
  switch (kind) {
    case Kind::kAlways:
      return true;
    case Kind::kName: {
      const auto found = known.find(name);
      return found != known.end() && found->second;
    }
    case Kind::kNot:
      return !parts.front().holds(known);
    case Kind::kAny:
      return std::any_of(parts.begin(), parts.end(), part_holds);
    case Kind::kAll:
      return std::all_of(parts.begin(), parts.end(), part_holds);
  }
  return true;
}

void Rule::names(std::vector<std::string>& found) const {
  if (kind == Kind::kName) found.push_back(name);
  for (const Rule& part : parts) part.names(found);
}

const Requirement* TaskMap::requirement(std::string_view name) const {
  const auto found = std::find_if(requirements.begin(), requirements.end(),
                                  [&](const Requirement& one) { return one.name == name; });
  return found == requirements.end() ? nullptr : &*found;
}

bool TaskMap::on_the_way(std::size_t step, const std::map<std::string, bool>& known) const {
  std::map<std::string, bool> all = known;
  for (const auto& [name, condition] : conditions) all.emplace(name, condition.by_default);
  // In the order of the steps, so that what comes before is decided first.
  std::vector<bool> on(steps.size(), false);
  for (const std::size_t at : order) {
    const Step& one = steps[at];
    on[at] = one.when.holds(all);
    if (on[at] && one.after.kind == After::Kind::kAny) {
      on[at] = std::any_of(one.after.ids.begin(), one.after.ids.end(), [&](const std::string& wanted) {
        for (std::size_t before = 0; before < steps.size(); ++before)
          if (steps[before].id == wanted) return static_cast<bool>(on[before]);
        return false;
      });
    }
    if (at == step) return on[at];
  }
  return false;
}

std::vector<std::string> TaskMap::open_conditions(std::size_t step,
                                                  const std::map<std::string, bool>& known) const {
  std::vector<std::string> names, open;
  steps[step].when.names(names);
  for (const std::string& name : names) {
    if (!is_known(known, name) && std::find(open.begin(), open.end(), name) == open.end())
      open.push_back(name);
  }
  return open;
}

std::string filled_in(std::string_view text, const std::map<std::string, std::string>& chosen) {
  std::string out;
  walk(
      text, [&](std::string_view part) { out += part; },
      [&](std::string_view name) {
        const auto found = chosen.find(std::string(name));
        out += found == chosen.end() ? std::string(name) : found->second;
      });
  return out;
}

std::vector<std::string> names_in(std::string_view text) {
  std::vector<std::string> names;
  walk(
      text, [](std::string_view) {}, [&](std::string_view name) { names.emplace_back(name); });
  return names;
}

}  // namespace parley::guide
