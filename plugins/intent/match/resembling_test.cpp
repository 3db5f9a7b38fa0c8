#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "learn/sampling.hpp"
#include "match/test_support.hpp"
#include "match/tier.hpp"

using namespace parley;
using namespace parley::intent;
using namespace parley::intent::test;

namespace {

/// One after the other, as on a machine that has nothing to spare.
void one_by_one(std::size_t count, const std::function<void(std::size_t)>& each) {
  for (std::size_t i = 0; i < count; ++i) each(i);
}

/// What an utterance resembles, after everything registered has been learnt.
struct LearnedFixture : IndexFixture {
  void learn() {
    LanguageIndex* const known = index.language_of("en");
    if (known != nullptr) known->learned()->learn(known->take_changes(), one_by_one);
  }

  std::vector<Candidate> resemblances(const std::string& text) {
    LanguageIndex* const known = index.language_of("en");
    return known == nullptr ? std::vector<Candidate>() : find_resemblances(*known, Said(text, lang), policy);
  }

  /// Who is taken by an entry of that level.
  std::string taken(const std::string& text, const std::string& entry) {
    auto found = candidates(text);
    for (Candidate& candidate : resemblances(text)) found.push_back(std::move(candidate));
    const Candidate* const winner = choose(found, tier_of(entry, Json::object()));
    return winner == nullptr ? "-" : winner->intent->skill_id + ':' + winner->intent->intent_name;
  }

  std::string first(const std::string& text) {
    const auto found = resemblances(text);
    return found.empty() ? "-" : found.front().intent->skill_id + ':' + found.front().intent->intent_name;
  }

  double certainty(const std::string& text) {
    const auto found = resemblances(text);
    return found.empty() ? 0 : found.front().certainty.value_or(0);
  }

  void add_house() {
    add(template_intent("light", "on",
                        {"turn on the light", "switch on the light in the {room}", "light on",
                         "i need some light", "lights on please"}));
    add(template_intent("light", "off",
                        {"turn off the light", "switch off the light in the {room}", "light off",
                         "it is too bright", "lights out"}));
    add(template_intent("music", "play",
                        {"play {song}", "put on some music", "i want to hear {song}", "start the music"}));
    add(template_intent("clock", "time", {"what time is it", "tell me the time", "how late is it"}));
    add(entity("light", "room", {"kitchen", "bath room", "hall", "cellar"}));
  }
};

}  // namespace

TEST_CASE_FIXTURE(LearnedFixture, "resembling: words in another order, more or fewer of them") {
  add_house();
  learn();
  CHECK(first("could you turn the light on") == "light:on");
  CHECK(first("please switch the lights off now") == "light:off");
  CHECK(first("do you know what time it is") == "clock:time");
  CHECK(first("start some music please") == "music:play");
}

TEST_CASE_FIXTURE(LearnedFixture,
                  "resembling: what has nothing to do with anything is less sure than what has") {
  add_house();
  learn();
  CHECK(certainty("could you turn the light on") > certainty("purple elephants dance"));
  CHECK(taken("purple elephants dance", "intent_low") == "-");
  CHECK(taken("could you turn the light on", "intent_high") == "-");
  CHECK(taken("could you turn the light on", "intent_low") == "light:on");
}

TEST_CASE_FIXTURE(LearnedFixture, "T-7 resembling: slots are found by where they stand, listed or not") {
  add_house();
  learn();
  const auto room = [this](const std::string& text) {
    for (const Candidate& candidate : resemblances(text)) {
      for (const Bound& bound : candidate.bound) {
        if (bound.slot == "room") {
          const Said said(text, lang);
          return std::string(
              surface(text, std::span(said.words).subspan(bound.begin, bound.end - bound.begin)));
        }
      }
    }
    return std::string();
  };
  CHECK(room("could you switch on the light in the Cellar") == "Cellar");
  CHECK(room("could you switch on the light in the bath room") == "bath room");
  CHECK(room("could you switch on the light in the pantry") == "pantry");
}

TEST_CASE_FIXTURE(LearnedFixture,
                  "T-7 resembling: a value of common words that nobody listed is not cut by one within it") {
  add(template_intent("table", "book",
                      {"book a table for {count} at {place}", "a table in {place} {when}",
                       "i want a table for {count} {when}", "book a table in {place} {when} for {count}",
                       "a table for {count}", "{count} of us want a table {when}"}));
  std::vector<std::string> times{"tonight", "tomorrow", "at noon"}, counts;
  for (const char* const ten :
       {"", "twenty ", "thirty ", "forty ", "fifty ", "sixty ", "seventy ", "eighty "}) {
    for (const char* const one : {"one", "two", "three", "four", "five", "six", "seven", "eight", "nine"}) {
      counts.push_back(std::string(ten) + one);
      for (const char* const unit : {"minutes", "hours", "days", "weeks", "months"}) {
        std::string when = "in " + counts.back() + ' ' + unit;
        if (counts.back() != "six") times.push_back(std::move(when));
      }
    }
  }
  add(entity("table", "when", times));
  add(entity("table", "count", counts));
  add(entity("table", "place", {"marias", "the old mill", "the harbour"}));
  learn();
  const std::string text = "could you get us a table in six weeks at marias";
  const auto found = resemblances(text);
  REQUIRE(!found.empty());
  std::string slots;
  const Said said(text, lang);
  for (const Bound& bound : found.front().bound) {
    const auto part = std::span(said.words).subspan(bound.begin, bound.end - bound.begin);
    slots += bound.slot + '=' + std::string(surface(text, part)) + ';';
  }
  CHECK(slots == "when=in six weeks;place=marias;");
}

TEST_CASE_FIXTURE(LearnedFixture, "U-3 resembling: a required slot takes a listed value wherever it stands") {
  add_house();
  auto volume = template_intent("radio", "volume",
                                {"the radio is bad", "change the sound of the radio",
                                 "turn the radio sound {step}", "the radio sound is bad"});
  volume.required_slots = {"step"};
  add(volume);
  add(entity("radio", "step", {"louder", "down", "a bit up"}));
  learn();
  for (const char* text : {"louder the sound of the radio is bad", "a bit up the radio sound is bad",
                           "the radio louder is bad", "radio down is bad"}) {
    const auto found = resemblances(text);
    REQUIRE(!found.empty());
    CHECK(found.front().intent->skill_id == "radio");
    CHECK_FALSE(found.front().veto);
    REQUIRE(found.front().bound.size() == 1);
    CHECK(found.front().bound.front().listed);
  }
}

TEST_CASE_FIXTURE(LearnedFixture,
                  "R-3 resembling: another session's registrations are not there, nor what they taught") {
  add_house();
  learn();
  const double alone = certainty("brew me a strong coffee");
  auto own = template_intent("coffee", "brew", {"brew a coffee", "make me a strong coffee"});
  own.session_id = "kitchen";
  add(own);
  learn();
  CHECK(first("brew me a strong coffee") != "coffee:brew");
  CHECK(certainty("brew me a strong coffee") <= alone + 0.2);
  policy.session = "kitchen";
  CHECK(first("brew me a strong coffee") == "coffee:brew");
}

TEST_CASE_FIXTURE(LearnedFixture,
                  "R-3 resembling: the same intent registered in many sessions is no rival of itself") {
  for (const char* session : {"default", "a", "b", "c"}) {
    auto own = template_intent("coffee", "brew", {"brew a coffee", "make me a strong coffee"});
    own.session_id = session;
    add(own);
  }
  add(template_intent("tea", "brew", {"a cup of tea", "make me some tea"}));
  learn();
  CHECK(taken("please make me some coffee that is strong", "intent_low") == "coffee:brew");
}

TEST_CASE_FIXTURE(LearnedFixture, "resembling: what is disabled, or blacklisted does not win") {
  add_house();
  auto reminder = template_intent("reminder", "add",
                                  {"remind me to {task}", "add a reminder to {task}", "add a reminder"});
  std::get<TemplateIntent>(reminder.pattern).blacklist = {"yesterday"};
  add(reminder);
  learn();
  CHECK(taken("could you remind me to water the plants", "intent_low") == "reminder:add");
  CHECK(taken("could you remind me to water the plants yesterday", "intent_low") == "-");
  policy.disabled = {"add"};
  CHECK(resemblances("could you remind me to water the plants").front().intent->skill_id != "reminder");
}

TEST_CASE_FIXTURE(LearnedFixture,
                  "resembling: two skills with the same templates are a tie, which nobody wins") {
  add_house();
  add(template_intent("one", "tea", {"brew me a tea", "i want tea"}));
  add(template_intent("two", "tea", {"brew me a tea", "i want tea"}));
  learn();
  CHECK(taken("now brew tea for me", "intent_low") == "-");
  CHECK(taken("brew me a tea", "intent_high") == "one:tea");  // T-0: word for word, the names decide
}

TEST_CASE_FIXTURE(LearnedFixture,
                  "resembling: what goes is forgotten, what comes is learnt beside the rest") {
  add_house();
  learn();
  const auto tea = template_intent("tea", "brew", {"brew me a cup of tea", "i want tea", "make tea"});
  add(tea);
  learn();
  CHECK(first("could you brew some tea") == "tea:brew");
  CHECK(first("could you turn the light on") == "light:on");
  index.remove(tea);
  learn();
  CHECK(first("could you brew some tea") != "tea:brew");
  CHECK(first("could you turn the light on") == "light:on");
}

TEST_CASE_FIXTURE(LearnedFixture, "resembling: what is nobody's is somebody's once an intent has its words") {
  add_house();
  Changes changes = index.language_of("en")->take_changes();
  changes.background = {{"what", "is", "love"}, {"tell", "me", "about", "love"}, {"sing", "a", "song"}};
  index.language_of("en")->learned()->learn(changes, one_by_one);
  CHECK(taken("so what is love", "intent_low") == "-");
  add(template_intent("poet", "love", {"explain love", "what about love", "tell me what love means"}));
  learn();
  CHECK(taken("so what is love", "intent_low") == "poet:love");
  CHECK(taken("what is love", "intent_low") == "poet:love");  // word for word, but no longer nobody's
  CHECK(taken("sing a song", "intent_low") == "-");           // what was said once to be nobody's stays so
  CHECK(first("could you turn the light on") == "light:on");
}

TEST_CASE_FIXTURE(LearnedFixture,
                  "resembling: what is nobody's word for word is nobody's, whatever it is like") {
  add_house();
  learn();
  CHECK(certainty("turn the lamps on") > 0.4);
  Changes changes = index.language_of("en")->take_changes();
  changes.background = {{"turn", "the", "lamps", "on"}};
  index.language_of("en")->learned()->learn(changes, one_by_one);
  CHECK(certainty("turn the lamps on") <= 0.4);
}

TEST_CASE_FIXTURE(LearnedFixture, "resembling: what is said for a template's words is understood by them") {
  add_house();
  SUBCASE("alone") {
    learn();
    CHECK(taken("kill every lamp", "intent_low") == "-");
    CHECK(taken("would you spin a record", "intent_low") == "-");
  }
  SUBCASE("with what is said for each other") {
    Changes changes = index.language_of("en")->take_changes();
    changes.synonyms = {{{"turn", "off"}, {"switch", "off"}, {"kill"}},
                        {{"turn", "on"}, {"switch", "on"}},
                        {{"light"}, {"lights"}, {"lamp"}},
                        {{"play"}, {"spin"}, {"start"}},
                        {{"music"}, {"record"}}};
    index.language_of("en")->learned()->learn(changes, one_by_one);
    CHECK(taken("kill every lamp", "intent_low") == "light:off");
    CHECK(taken("would you spin a record", "intent_low") == "music:play");
    CHECK(taken("kill every elephant", "intent_low") == "-");
    CHECK(taken("kill every lamp", "intent_high") == "-");  // a hint, never a match

    index.remove(template_intent("music", "play", {}));
    learn();
    CHECK(taken("would you spin a record", "intent_low") == "-");
    CHECK(taken("kill every lamp", "intent_low") == "light:off");
  }
}

TEST_CASE("resembling: what is nobody's is somebody's who has what its words are said for") {
  const auto certainty = [](const std::string& nobodys) {
    LearnedFixture house;
    house.add_house();
    Changes changes = house.index.language_of("en")->take_changes();
    changes.synonyms = {{{"switch", "off"}, {"kill"}}, {{"light"}, {"lamp"}}};
    changes.background = {words_of(nobodys, "en")};
    house.index.language_of("en")->learned()->learn(changes, one_by_one);
    return house.certainty("kill the lamp");
  };
  CHECK(certainty("kill the lamp") == certainty("switch off the light"));  // neither is taught
  CHECK(certainty("kill the lamp") > certainty("kill the elephant"));
}

TEST_CASE_FIXTURE(LearnedFixture,
                  "resembling: the slots of many intents are learnt at once, each for itself") {
  add_house();
  for (int i = 0; i < 12; ++i) {
    const std::string name = "thing" + std::to_string(i);
    add(template_intent("store", name, {"bring " + name + " to {place}", "where is my " + name}));
  }
  learn();
  for (int i = 0; i < 12; ++i) {
    const auto found = resemblances("please bring thing" + std::to_string(i) + " to london");
    REQUIRE(!found.empty());
    CHECK(found.front().intent->intent_name == "thing" + std::to_string(i));
    REQUIRE(found.front().bound.size() == 1);
    CHECK(found.front().bound.front().slot == "place");
  }
}

TEST_CASE_FIXTURE(LearnedFixture, "resembling: anything may be said, whatever it is made of") {
  CHECK(resemblances("hello").empty());
  add_house();
  learn();
  for (const char* text : {"", " ", "\xff\xfe", "😀😀", "今日の天気は", "\x01 \x02", "0", "....."}) {
    CHECK(resemblances(text).size() <= 5);
  }
  CHECK(resemblances(std::string(100'000, 'a')).size() <= 5);
}

TEST_CASE("sampling: sentences are the template's, and the same every time") {
  const auto parsed = Template::parse("(play|start) {song} [now]", TemplateOptions::for_intents());
  REQUIRE(parsed.ok());
  const Pattern pattern = word_pattern(*parsed, "en-US");
  CHECK(count_sentences(pattern, 100) == 4);
  CHECK(count_sentences(pattern, 3) == 3);
  class Songs final : public SlotValues {
   public:
    std::span<const std::vector<std::string>> values(const std::string&) const override { return songs_; }
    bool is_rare(const std::string&) const override { return true; }

   private:
    std::vector<std::vector<std::string>> songs_{{"stand", "by", "me"}};
  };
  Dice dice(1), again(1);
  for (int i = 0; i < 50; ++i) {
    const Sampled sentence = sample(pattern, Songs(), dice, 0);
    CHECK(sentence.words == sample(pattern, Songs(), again, 0).words);
    CHECK((sentence.words.front() == "play" || sentence.words.front() == "start"));
    CHECK(sentence.slots == std::vector<SlotSpan>{SlotSpan("song", 1, 4)});
    CHECK(sentence.words.size() <= 5);
  }
}

TEST_CASE("sampling: a varied sentence keeps its own slots, and has at most one of another") {
  Sampled own, other;
  own.words = {"play", "hello", "in", "the", "kitchen", "now"};
  own.slots = {SlotSpan("song", 1, 2), SlotSpan("room", 4, 5)};
  other.words = {"some", "music", "by", "ben", "king"};
  other.slots = {SlotSpan("artist", 3, 5)};
  bool had_artist = false, had_unknown = false;
  Dice dice(1);
  for (int i = 0; i < 100; ++i) {
    const Sampled made = varied(own, other, dice);
    std::size_t ours = 0;
    for (const SlotSpan& span : made.slots) {
      REQUIRE(span.end <= made.words.size());
      const std::vector<std::string> value(made.words.begin() + static_cast<std::ptrdiff_t>(span.begin),
                                           made.words.begin() + static_cast<std::ptrdiff_t>(span.end));
      if (span.slot == "song") CHECK(value == std::vector<std::string>{"hello"});
      if (span.slot == "room") CHECK(value == std::vector<std::string>{"kitchen"});
      if (span.slot == "artist") CHECK(value == std::vector<std::string>{"ben", "king"});
      if (span.slot != "artist") ++ours;
      had_artist = had_artist || span.slot == "artist";
    }
    CHECK(ours == 2);
    had_unknown = had_unknown || std::count(made.words.begin(), made.words.end(), kOpenWord) > 0;
    CHECK(made.slots.size() <= 3);
  }
  CHECK(had_artist);
  CHECK(had_unknown);
}

TEST_CASE_FIXTURE(LearnedFixture,
                  "T-3 resembling: a template with slots side by side teaches, and matches nothing") {
  auto play = template_intent("music", "play", {"put on {song} by {artist}", "let me hear {song}"});
  std::get<TemplateIntent>(play.pattern).teaching = {
      "i want {song} {artist} now", "give us {artist} {song} now", "i want {artist} {song} now",
      "give us {song} {artist} now"};
  add(play);
  add(template_intent("light", "on", {"turn on the light", "light on", "lights on please"}));
  add(entity("music", "song", {"hello", "yesterday", "stand by me"}));
  add(entity("music", "artist", {"adele", "the beatles", "ben king"}));
  learn();
  CHECK(candidates("i want hello adele now").empty());
  const auto found = resemblances("i want hello adele now");
  REQUIRE(!found.empty());
  CHECK(found.front().intent->intent_name == "play");
  REQUIRE(found.front().bound.size() == 2);
  CHECK(found.front().bound[0].slot == "song");
  CHECK(found.front().bound[1].slot == "artist");
}

TEST_CASE_FIXTURE(LearnedFixture,
                  "U-3 resembling: a slot that the skill asks for keeps no intent from winning") {
  add_house();
  auto volume = template_intent("radio", "volume",
                                {"change the sound of the radio", "turn the radio sound {step}",
                                 "the radio sound is bad", "radio sound {step}"});
  volume.required_slots = {"step"};
  add(volume);
  add(entity("radio", "step", {"louder", "down", "a bit up"}));
  learn();
  CHECK(first("change the radio sound") != "radio:volume");
  volume.required_slots.clear();
  volume.asked_slots = {"step"};
  add(volume);
  learn();
  CHECK(first("change the radio sound") == "radio:volume");
  CHECK_FALSE(resemblances("change the radio sound").front().veto);
  const auto louder = resemblances("the sound of the radio is bad louder");
  REQUIRE(!louder.empty());
  REQUIRE(louder.front().bound.size() == 1);
  CHECK(louder.front().bound.front().listed);
}
