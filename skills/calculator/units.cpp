#include "units.hpp"

#include <parley/yaml.hpp>
#include "data_file.hpp"

namespace parley::calculator {
namespace {

Unit unit_of(const std::string& quantity, const std::string& name, const YAML::Node& value) {
  if (!value.IsSequence()) return Unit{name, quantity, number_in(value), Number()};
  if (value.size() != 2) throw YAML::Exception(value.Mark(), "expected [factor, offset]");
  return Unit{name, quantity, number_in(value[0]), number_in(value[1])};
}

}  // namespace

Units::Units(const std::filesystem::path& file) {
  read_yaml_file(file, [this](const YAML::Node& root) {
    for (const auto& group : root) {
      for (const auto& entry : group.second) {
        const auto name = entry.first.as<std::string>();
        units_.try_emplace(name, unit_of(group.first.as<std::string>(), name, entry.second));
      }
    }
  });
}

const Unit* Units::find(std::string_view name) const {
  const auto found = units_.find(name);
  return found == units_.end() ? nullptr : &found->second;
}

Number convert(const Number& amount, const Unit& from, const Unit& to) {
  return (amount * from.factor + from.offset - to.offset) / to.factor;
}

}  // namespace parley::calculator
