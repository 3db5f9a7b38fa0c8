// What was learnt, kept in files: the next who learns the same knows the same, and whatever is wrong with a
// file is as if there were none.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <parley/files.hpp>
#include <string>
#include <vector>

#include "learn/features.hpp"
#include "learn/learnt_files.hpp"
#include "learn/packed.hpp"
#include "match/test_support.hpp"
#include "support/temporary_folder.hpp"

using namespace parley;
using namespace parley::intent;
using namespace parley::intent::test;
namespace fs = std::filesystem;

namespace {

/// A start of the program: what is registered is learnt, with files that may know it.
struct Start : IndexFixture {
  explicit Start(const LearntFiles* files, const std::string& more = {}, bool backwards = false) {
    const std::vector<std::function<void()>> all{
        [this] {
          add(template_intent(
              "light", "on",
              {"turn on the light", "switch on the light in the {room}", "i need some light"}));
        },
        [this] {
          add(template_intent(
              "light", "off",
              {"turn off the light", "switch off the light in the {room}", "it is too bright"}));
        },
        [this] {
          add(template_intent("music", "play",
                              {"play {song}", "put on some music", "i want to hear {song}"}));
        },
        [this] {
          add(entity("light", "room", {"kitchen", "living room"}));
        },
        [this] {
          add(entity("music", "song", {"some jazz", "waltzes"}));
        }};
    for (std::size_t i = 0; i < all.size(); ++i) all[backwards ? all.size() - 1 - i : i]();
    if (!more.empty()) add(template_intent("tea", "brew", {more, "i want tea"}));
    learn(files);
  }

  void learn(const LearntFiles* files = nullptr) {
    Changes changes = index.language_of("en")->take_changes();
    if (changes.intents.size() > 2) {
      changes.background = {{"what", "is", "love"}, {"sing", "a", "song"}};
      changes.synonyms = {{{"light"}, {"lamp"}}};
    }
    int rounds = 0;
    index.language_of("en")->learned()->learn(
        changes,
        [&rounds](std::size_t count, const std::function<void(std::size_t)>& each) {
          ++rounds;
          for (std::size_t i = 0; i < count; ++i) each(i);
        },
        files);
    recalled = rounds == 1;  // only the templates were read
  }

  /// Everything that is known of some sentences.
  std::vector<std::string> known() {
    std::vector<std::string> all;
    for (const char* const text :
         {"would you turn the lamp on", "switch off that light in the cellar room please",
          "i really want to hear some jazz tonight", "what is love", "make tea now", "kitchen light",
          "bright"}) {
      const auto anybody = [](ClassId) { return true; };
      for (const Resemblance& one : index.language_of("en")->learned()->read(words_of(text, "en"), anybody)) {
        const auto& intent = *index.language_of("en")->intent(one.intent).registration;
        std::string line = text + (": " + intent.intent_name) + ' ' + std::to_string(one.likeness) + ' ' +
                           std::to_string(one.certainty);
        for (const SlotSpan& slot : one.slots)
          line += ' ' + slot.slot + ' ' + std::to_string(slot.begin) + '-' + std::to_string(slot.end);
        all.push_back(line);
      }
    }
    REQUIRE(all.size() > 7);
    return all;
  }

  bool recalled = false;
};

struct KeptFixture {
  testing::TemporaryFolder folder;
  LearntFiles files{folder.path() / "learnt"};

  std::vector<fs::path> all() const {
    std::vector<fs::path> found;
    for (const auto& one : fs::directory_iterator(folder.path() / "learnt")) found.push_back(one.path());
    return found;
  }
};

}  // namespace

TEST_CASE_FIXTURE(KeptFixture, "resembling: which skill registers first changes nothing of what is learnt") {
  Start first(&files), backwards(&files, {}, true);
  CHECK(backwards.recalled);
  CHECK_EQ(backwards.known(), first.known());
  Start afresh(nullptr, {}, true);
  CHECK_FALSE(afresh.recalled);
  CHECK_EQ(afresh.known(), first.known());
}

TEST_CASE_FIXTURE(KeptFixture, "kept: the next start knows the same at once, and goes on from there") {
  Start plain(nullptr), first(&files), second(&files);
  CHECK_FALSE(first.recalled);
  CHECK(second.recalled);
  CHECK(first.known() == plain.known());
  CHECK(second.known() == plain.known());
  CHECK(all().size() == 1);
  for (Start* const one : {&plain, &second}) {
    one->add(template_intent("tea", "brew", {"make tea", "brew me a cup of tea"}));
    one->learn();
  }
  CHECK(second.known() == plain.known());
  for (Start* const one : {&plain, &second}) {
    one->index.remove(template_intent("music", "play", {}));
    one->learn();
  }
  CHECK(second.known() == plain.known());
  CHECK(Start(&files).recalled);  // what came later changed nothing of what is kept
}

TEST_CASE_FIXTURE(KeptFixture, "kept: another template is learnt, and both are kept") {
  Start first(&files), other(&files, "make tea"), changed(&files, "make some tea");
  CHECK_FALSE(other.recalled);
  CHECK_FALSE(changed.recalled);
  CHECK(all().size() == 3);
  CHECK(Start(&files).recalled);
  CHECK(Start(&files, "make tea").recalled);
}

TEST_CASE_FIXTURE(KeptFixture, "kept: what can't be a file of ours is learnt anew") {
  const auto expected = Start(&files).known();
  const fs::path file = all().front();
  const auto whole = read_file(file, std::size_t{1} << 24U);
  REQUIRE(whole);
  const auto with = [&](const std::string& bytes) {
    std::ofstream(file, std::ios::binary | std::ios::trunc) << bytes;
    Start start(&files);
    CHECK_FALSE(start.recalled);
    CHECK(start.known() == expected);
    CHECK(Start(&files).recalled);  // it was written again
  };
  with("");
  with("x");
  with(whole->substr(0, 16));
  with(whole->substr(0, whole->size() / 2));
  with(*whole + "x");
  for (const std::size_t at : {std::size_t{0}, std::size_t{9}, std::size_t{30}, whole->size() - 1}) {
    std::string bytes = *whole;
    bytes[at] = static_cast<char>(bytes[at] ^ 4);
    with(bytes);
  }
  fs::remove(file);
  fs::create_directory(file);
  CHECK(Start(&files).known() == expected);
  const LearntFiles nowhere("/proc/nothing/learnt");
  CHECK(Start(&nowhere).known() == expected);
  const LearntFiles none{fs::path()};
  CHECK(Start(&none).known() == expected);
}

TEST_CASE_FIXTURE(KeptFixture, "kept: what a file says is looked at, even if its sum is right") {
  Start first(&files);
  const fs::path file = all().front();
  const auto whole = read_file(file, std::size_t{1} << 24U);
  REQUIRE(whole);
  constexpr std::size_t kSum = sizeof(std::uint64_t), kHead = 2 * kSum;
  const std::size_t step = 1 + whole->size() / 300;
  for (std::size_t at = kHead; at < whole->size(); at += at < kHead + 64 ? 1 : step) {
    std::string bytes = *whole;
    bytes[at] = static_cast<char>(bytes[at] ^ 0xc1);
    Packer sum;
    sum.add(hash_of(bytes.substr(kHead)));
    bytes.replace(0, kSum, sum.bytes());
    std::ofstream(file, std::ios::binary | std::ios::trunc) << bytes;
    Start start(&files);
    if (!start.recalled) CHECK(start.known() == first.known());
    start.known();  // else whatever it thinks: nothing is read that is not there
  }
}

TEST_CASE_FIXTURE(KeptFixture, "kept: so many files, those that were used last") {
  for (std::uint64_t key = 1; key <= 510; ++key) files.write(key, "learnt");
  CHECK(all().size() == 500);
  CHECK(files.read(510) == "learnt");
  CHECK(files.read(511) == std::nullopt);
  std::vector<std::uint64_t> left;
  for (std::uint64_t key = 1; key <= 510; ++key) {
    if (files.read(key)) left.push_back(key);
  }
  REQUIRE(left.size() == 500);
  files.read(left.front());  // used last now
  for (std::uint64_t key = 1001; key <= 1499; ++key) files.write(key, "learnt");
  CHECK(files.read(left.front()) == "learnt");
}
