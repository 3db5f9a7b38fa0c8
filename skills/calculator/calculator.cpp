#include "calculator.hpp"

#include <parley/language.hpp>
#include <utility>

#include "speech.hpp"

namespace parley::calculator {
namespace {

using Slots = std::map<std::string, std::string>;
using Outcome = Calculation::Outcome;

constexpr std::size_t kMaxLanguages = 16;  // tags come from clients

}  // namespace

Calculator::Calculator(std::filesystem::path data, LocaleResources locale)
    : data_(std::move(data)), locale_(std::move(locale)), units_(data_ / "units.yaml") {}

std::optional<Calculation> Calculator::calculate(std::string_view question, const std::string& tag,
                                                 const Before& before) {
  const Language* const words = language(tag);
  return words == nullptr ? std::nullopt : calculator::calculate(question, *words, before);
}

const Language* Calculator::language(const std::string& tag) {
  if (const auto known = languages_.find(tag); known != languages_.end()) return &known->second;
  const auto file = language_file(data_, tag, ".yaml");
  if (!file) return nullptr;
  if (languages_.size() >= kMaxLanguages) languages_.clear();
  return &languages_.try_emplace(tag, *file, tag, units_).first->second;
}

Reply Calculator::reply(const Calculation& result, const std::string& tag) const {
  const Speech speech(tag);
  const auto say = [&](const std::string& dialog, const Slots& slots) {
    return Reply{locale_.render(dialog, tag, slots).text, result.confidence};
  };
  switch (result.outcome) {
    case Outcome::kDividedByZero:
      return say("divided_by_zero", {});
    case Outcome::kUndefined:
      return say("undefined", {});
    case Outcome::kTooLarge:
      return say("too_large", {});
    case Outcome::kIncompatible:
      return say("incompatible", {});
    case Outcome::kConverted: {
      const auto to = speech.amount(result.value, *result.to);
      return say(to.rounded ? "converted_rounded" : "converted",
                 {{"from", speech.given(result.from)}, {"to", to.text}});
    }
    case Outcome::kPrime:
      return say("prime", {{"value", speech.number(result.value).text}});
    case Outcome::kNotPrime:
      return say(
          result.divisor.is_zero() ? "no_prime" : "not_prime",
          {{"value", speech.number(result.value).text}, {"divisor", speech.number(result.divisor).text}});
    default:
      break;
  }
  auto value = speech.number(result.value);
  if (value.exponent != 0) {
    const std::string exponent = speech.number(Number(value.exponent)).text;
    value.text = say("power_of_ten", {{"factor", value.text}, {"exponent", exponent}}).text;
  }
  const std::string dialog = result.outcome == Outcome::kPercentage ? "percentage" : "result";
  return say(dialog + (value.rounded ? "_rounded" : ""), {{"value", value.text}});
}

}  // namespace parley::calculator
