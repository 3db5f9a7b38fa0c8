#include "learn/features.hpp"

#include <doctest/doctest.h>

#include <map>
#include <set>

#include "learn/sampling.hpp"

using namespace parley::intent;

TEST_CASE("gazetteer: finds what is there, however phrases that begin alike come and go") {
  using Words = std::vector<std::string>;
  using Found = std::multiset<std::pair<std::pair<std::size_t, std::size_t>, std::uint64_t>>;
  Dice dice(1);
  const auto words = [&dice](std::size_t most) {
    Words made(1 + dice.below(most));
    for (std::string& word : made) word = std::string(1, static_cast<char>('a' + dice.below(3)));
    return made;
  };
  const std::vector<std::string> slots{"room", "song"};
  Gazetteer gazetteer;
  std::map<std::pair<std::string, Words>, int> known;
  std::size_t hits = 0;
  for (int turn = 0; turn < 3000; ++turn) {
    const std::string& slot = slots[dice.below(2)];
    const Words phrase = words(4);
    if (dice.one_in(2)) {
      gazetteer.add(slot, phrase);
      ++known[{slot, phrase}];
    } else {
      gazetteer.remove(slot, phrase);  // of one that is not known: nothing
      const auto place = known.find({slot, phrase});
      if (place != known.end() && --place->second == 0) known.erase(place);
    }
    const Words said = words(7);
    Found wanted, found;
    for (std::size_t begin = 0; begin < said.size(); ++begin) {
      for (std::size_t end = begin + 1; end <= said.size(); ++end) {
        const auto at = said.begin() + static_cast<std::ptrdiff_t>(begin);
        const Words part(at, at + static_cast<std::ptrdiff_t>(end - begin));
        for (const std::string& name : slots) {
          if (known.contains({name, part})) wanted.insert({{begin, end}, hash_of(name)});
        }
      }
    }
    for (const Gazetteer::Hit& hit : gazetteer.find(said)) found.insert({{hit.begin, hit.end}, hit.name});
    REQUIRE(found == wanted);
    hits += found.size();
  }
  CHECK(hits > 1000);
}
