// Questions for yes or no that hold nobody up.
#include <doctest/doctest.h>

#include <map>
#include <parley/offers.hpp>
#include <parley/text.hpp>
#include <set>
#include <string>

using namespace parley;

namespace {

std::optional<bool> answer(const std::string& text) {
  static const std::map<std::string, std::set<std::string>, std::less<>> kWords{
      {"yes", {"yes", "yes please", "do it"}},
      {"no", {"no"}},
      {"cancel", {"never mind"}},
      {"fillers", {"um"}}};
  return yes_or_no(text, "en-US", [](std::string_view vocabulary, std::string_view said) {
    const auto words = kWords.find(vocabulary);
    return words != kWords.end() && words->second.contains(normalise(said, "en-US"));
  });
}

}  // namespace

TEST_CASE("offers: yes, no and 'never mind' answer; what only begins or ends with a yes does not") {
  CHECK(answer("Yes!") == true);
  CHECK(answer("um, yes please") == true);
  CHECK(answer("yes, do it now then") == true);
  CHECK(answer("I'd say no") == false);
  CHECK(answer("Never mind.") == false);
  CHECK(answer("what is the capital of France") == std::nullopt);
  CHECK(answer("yes, set a timer") == std::nullopt);
  CHECK(answer("no, what time is it") == std::nullopt);
  CHECK(answer("was the answer yes") == std::nullopt);
  CHECK(answer("yes and no") == std::nullopt);
  CHECK(answer("") == std::nullopt);
}
