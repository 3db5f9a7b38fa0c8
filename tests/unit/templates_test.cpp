#include <doctest/doctest.h>
#include <fmt/format.h>
#include <parley/templates.hpp>
#include <parley/text.hpp>

#include <algorithm>
#include <set>

using namespace parley;

namespace {

using Lines = std::vector<std::string>;

/// Knows <greeting> and <one>.
VocabularyLookup lookup() {
  return [](const std::string& name) -> Result<Phrases> {
    if (name == "greeting") return std::make_shared<const Lines>(Lines{"hello", "good morning"});
    if (name == "one") return std::make_shared<const Lines>(Lines{"single"});
    return Error("the vocabulary <" + name + "> is unknown");
  };
}

Template parsed(std::string_view text, TemplateOptions options = TemplateOptions::for_intents()) {
  auto result = Template::parse(text, std::move(options).with(lookup()));
  INFO("template: ", text);
  REQUIRE_MESSAGE(result.ok(), result.error().message);
  return std::move(result).value();
}

Lines expanded(std::string_view text) {
  return parsed(text).expand();
}

/// "column: reason", or "fine".
std::string refusal(std::string_view text, TemplateOptions options = TemplateOptions::for_intents()) {
  const auto result = Template::parse(text, std::move(options).with(lookup()));
  return result ? "fine" : std::to_string(result.error().column) + ": " + result.error().message;
}

/// Whether it is refused at that column for that reason; says what it found instead.
bool refused(std::string_view text, std::string_view column, std::string_view part) {
  const std::string why = refusal(text);
  const bool as_expected = why.starts_with(std::string(column) + ": ") && why.find(part) != std::string::npos;
  if (!as_expected) MESSAGE(text.substr(0, 80), " -> ", why);
  return as_expected;
}

std::string joined(const Sentence& sentence) {
  std::string out;
  for (const Token& token : sentence) {
    out +=
        (out.empty() ? "" : " ") + (token.kind == Token::Kind::kSlot ? "{" + token.text + "}" : token.text);
  }
  return out;
}

/// All sentences a pattern accepts, by walking it.
std::set<std::string> sentences_of(const Pattern& pattern) {
  const auto glue = [](const std::string& a, const std::string& b) {
    return a + (a.empty() || b.empty() ? "" : " ") + b;
  };
  switch (pattern.kind) {
    case Pattern::Kind::kWord:
      return {pattern.text};
    case Pattern::Kind::kSlot:
      return {"{" + pattern.text + "}"};
    case Pattern::Kind::kSequence:
      break;
    case Pattern::Kind::kChoice: {
      std::set<std::string> all;
      for (const Pattern& child : pattern.children) all.merge(sentences_of(child));
      return all;
    }
  }
  std::set<std::string> all = {""};
  for (const Pattern& child : pattern.children) {
    std::set<std::string> longer;
    for (const std::string& left : all) {
      for (const std::string& right : sentences_of(child)) longer.insert(glue(left, right));
    }
    all = std::move(longer);
  }
  return all;
}

}  // namespace

TEST_CASE("T-1 grammar: words, alternatives, optional parts and nesting") {
  CHECK(expanded("turn on the lights") == Lines{"turn on the lights"});
  CHECK(expanded("(please|) stop") == Lines{"please stop", "stop"});
  CHECK(expanded("turn on [the] lights") == Lines{"turn on the lights", "turn on lights"});
  CHECK(expanded("go [(far|very far) ]away") == Lines{"go far away", "go very far away", "go away"});
  CHECK(expanded("a [b|c]") == Lines{"a b", "a c", "a"});
}

TEST_CASE("T-1 grammar: groups join words where no space stands between") {
  CHECK(expanded("light[s]") == Lines{"lights", "light"});
  CHECK(expanded("(wednes|thurs|fri)day") == Lines{"wednesday", "thursday", "friday"});
}

TEST_CASE("T-1 slots: both spellings and a type hint are the same slot") {
  for (const char* text : {"buy {item}", "buy {{item}}", "buy {number:item}", "buy {{number:item}}"}) {
    CAPTURE(text);
    CHECK(expanded(text) == Lines{"buy {item}"});
    CHECK(parsed(text).declares("item"));
  }
  CHECK(parsed("at {date:when}").slots().front() == Slot("when", SlotType::kDate));
  CHECK(to_string(SlotType::kColor) == "color");
}

TEST_CASE("T-1 slots: an unknown type degrades to none, with a warning") {
  const Template degraded = parsed("buy {vegetable:item}");
  CHECK(degraded.slots().front() == Slot("item"));
  REQUIRE(degraded.warnings().size() == 1);
  CHECK(degraded.warnings().front().message.find("'vegetable'") != std::string::npos);
}

TEST_CASE("T-1 vocabularies: a reference stands for its phrases") {
  CHECK(expanded("<greeting> [there] {name}") ==
        Lines{"hello there {name}", "hello {name}", "good morning there {name}", "good morning {name}"});
  CHECK(parsed("<greeting> {date:x} [<one>]").without_vocabularies() ==
        "(hello|good morning) {date:x} (single|)");
  CHECK(parsed("no  vocabulary [x]").without_vocabularies() == "no  vocabulary [x]");
}

TEST_CASE("T-2 expansion: branches multiply and duplicates go") {
  CHECK(expanded("(turn|switch) [the] (light|fan)").size() == 8);
  CHECK(expanded("(a|a) (b|b|)") == Lines{"a b", "a"});
  CHECK(parsed("(a|a) (b|b|)").combinations() == 6);
}

TEST_CASE("T-2 expansion: white space collapses and goes at the ends") {
  CHECK(expanded("  a \t [b]   c ") == Lines{"a b c", "a c"});
}

TEST_CASE("T-2 expansion: a template beyond the limit is refused with its number, without being expanded") {
  const auto refuses = [](const std::string& text, const char* words) {
    const auto result = Template::parse(text, TemplateOptions::for_phrases());
    return !result && result.error().message.find(words) != std::string::npos;
  };
  const std::string ten = "(0|1|2|3|4|5|6|7|8|9) ";
  std::string text = "x ";
  for (int i = 0; i < 4; ++i) text += ten;
  CHECK(Template::parse(text, TemplateOptions::for_phrases()).ok());
  CHECK(refuses(text + ten, "stands for 100000 sentences, the limit is 10000"));
  for (int i = 0; i < 4; ++i) text += ten;
  CHECK(refuses(text, "stands for 100000000 sentences"));
  for (int i = 0; i < 40; ++i) text += ten;
  CHECK(refuses(text, "stands for more than 18446744073709551615 sentences"));
  CHECK(refuses(std::string(5000, 'x') + ten + ten + ten, "bytes, the limit is"));
}

TEST_CASE("T-2 expansion: intents are compiled, so they may stand for a thousand million sentences") {
  const std::string ten = "(0|1|2|3|4|5|6|7|8|9) ";
  std::string text = "x ";
  for (int i = 0; i < 9; ++i) text += ten;
  CHECK(refusal(text) == "fine");
  CHECK(refused(text + ten, "1", "stands for 10000000000 sentences, the limit is 1000000000"));
}

TEST_CASE("T-2 expansion: where groups join without a space, forms are written out, and few are allowed") {
  const std::string joined = "(a|b|c|d|e|f|g|h|i|j)";
  CHECK(refusal("x " + joined + joined + joined + joined) == "fine");
  CHECK(refused("x " + joined + joined + joined + joined + joined, "3",
                "have 100000 forms, the limit is 10000"));
  const std::string run = joined + joined + joined + joined;
  CHECK(
      refused("x " + run + " y " + run, "90", "have 20000 forms, the limit is 10000"));  // all runs together
  std::string spaced = "x";
  for (int i = 0; i < 9; ++i) spaced += "[ (in|auf|unter) (der|die|das)]";
  CHECK(refusal(spaced) == "fine");  // the space is within the brackets
}

TEST_CASE("T-3 malformed: unbalanced brackets") {
  CHECK(refused("turn (on|off", "6", "'(' is never closed"));
  CHECK(refused("turn [on", "6", "'[' is never closed"));
  CHECK(refused("turn on)", "8", "')' closes nothing"));
  CHECK(refused("turn on]", "8", "']' closes nothing"));
  CHECK(refused("turn (on]", "9", "'(' of column 6 is closed by ']'"));
  CHECK(refused("buy {item", "5", "'{' is never closed"));
  CHECK(refused("buy item}", "9", "'}' closes nothing"));
  CHECK(refused("buy {item}}", "11", "'}' closes nothing"));
  CHECK(refused("buy {{item}", "5", "closed by a single '}'"));
  CHECK(refused("say <greeting", "5", "'<' is never closed"));
  CHECK(refused("say greeting>", "13", "'>' closes nothing"));
}

TEST_CASE("T-3 malformed: an empty group") {
  CHECK(refused("a ()", "3", "() is empty"));
  CHECK(refused("a (  )", "3", "() is empty"));
}

TEST_CASE("T-3 malformed: a sample that can become empty") {
  for (const char* text : {"", "   ", "(|)", "[x]", "(a|) [b]", "[a [b]]", "?", "[a] ..."}) {
    CAPTURE(text);
    CHECK(refusal(text).find("can become empty") != std::string::npos);
  }
}

TEST_CASE("T-3 malformed: a template that is one slot alone") {
  CHECK(refused("{name}", "1", "one slot alone"));
  CHECK(refused("({a}|{b})", "1", "one slot alone"));
  CHECK(refused("{name}?", "1", "one slot alone"));
}

TEST_CASE("T-3 malformed: a template that by leaving out what is optional can become one slot alone") {
  CHECK(refused("[play] {name}", "1", "can become one slot alone"));
  CHECK(refused("{name} [please]", "1", "can become one slot alone"));
  CHECK(refused("[[can you] play] {name} (|now|[right] away)", "1", "can become one slot alone"));
  CHECK(refused("(play {name}|{name})", "1", "can become one slot alone"));
  CHECK(refusal("(play|start) [the] {name}") == "fine");
  CHECK(refusal("[play] {name} [please] now") == "fine");
}

TEST_CASE("T-3 malformed: two slots that can become adjacent") {
  CHECK(refused("play {a}{b}", "9", "next to each other"));
  CHECK(refused("play {a} {b}", "10", "next to each other"));
  CHECK(refused("{a} [foo] {b}", "11", "next to each other"));
  CHECK(refused("set {a} [for [the]] [(|next)] {b}", "31", "next to each other"));
  CHECK(refused("{a} (x|{b}) y", "5", "next to each other"));
  CHECK(refused("go {a}, {b}", "9", "next to each other"));
  CHECK(refusal("{a} foo {b}") == "fine");
  CHECK(refusal("{a} (to|<greeting>) {b}") == "fine");
}

TEST_CASE("T-3 malformed: what is so only for slots side by side may teach, nothing else may") {
  const auto teaches = [](const char* text) {
    return Template::parse(text, TemplateOptions::for_teaching()).ok();
  };
  CHECK(teaches("play {a} {b}"));
  CHECK(teaches("set {a} [for] {b} now"));
  CHECK(teaches("play {song}"));
  CHECK_FALSE(teaches("{a}"));
  CHECK_FALSE(teaches("play {a} {a}"));
  CHECK_FALSE(teaches("play {a"));
  CHECK_FALSE(teaches("[play]"));
}

TEST_CASE("T-3 malformed: a slot twice") {
  CHECK(refused("{x} and {x}", "9", "{x} can stand twice"));
  CHECK(refused("{x} and {date:x}", "9", "{x} can stand twice"));
  CHECK(refused("[{x} and] (go|to {x})", "11", "{x} can stand twice"));
  CHECK(refusal("(buy {x}|sell some {x})") == "fine");  // never both
}

TEST_CASE("T-3 malformed: an unknown vocabulary, or any where none can be looked up") {
  CHECK(refused("say <nothing>", "5", "<nothing> is unknown"));
  CHECK(refused("say <No Name>", "5", "no vocabulary name"));
  const auto over_the_bus = Template::parse("say <greeting>", TemplateOptions::for_intents());
  REQUIRE_FALSE(over_the_bus.ok());
  CHECK(over_the_bus.error().message.find("write its phrases out") != std::string::npos);
}

TEST_CASE("T-2 slots: a template has so many at most, and the work of reading it grows with its text alone") {
  const auto with_slots = [](int count, const char* name) {
    std::string text = "go";
    for (int i = 0; i < count; ++i) text += fmt::format(" a {{{}{}}}", name, i);
    return text;
  };
  CHECK(refusal(with_slots(64, "s")) == "fine");
  CHECK(refusal(with_slots(65, "s")).find("more than 64 slots") != std::string::npos);
  std::string branches = "go (a";
  for (int i = 0; i < 20'000; ++i) branches += "|b {x}";
  CHECK(refusal(branches + ")") == "fine");
}

TEST_CASE("T-3 malformed: a bad slot name") {
  for (const char* name :
       {"Item", "1st", "two words", " item", "i-tem", "ä", "a:b:c", ":x", "number:", "number: x"}) {
    CAPTURE(name);
    CHECK(refused("buy {" + std::string(name) + "}", "5", "no slot name"));
  }
}

TEST_CASE("T-3 malformed: a | outside a group") {
  CHECK(refused("on|off", "3", "outside a group"));
}

TEST_CASE("T-3 malformed: nested or empty braces") {
  CHECK(refused("a {}", "3", "empty"));
  CHECK(refused("a {{ }}", "3", "empty"));
  CHECK(refused("a {b {c}}", "3", "nested"));
  CHECK(refused("a {{{b}}}", "3", "nested"));
}

TEST_CASE("T-3 malformed: a slot where none may stand") {
  CHECK(refusal("at {place}", TemplateOptions::for_phrases()).starts_with("4: a slot can't stand here"));
}

TEST_CASE("T-3 single branch: (word) is folded to word with a warning") {
  const Template folded = parsed("turn (on) the light(s)");
  CHECK(folded.expand() == Lines{"turn on the lights"});
  CHECK(folded.combinations() == 1);
  REQUIRE(folded.warnings().size() == 2);
  CHECK(folded.warnings().front().column == 6);
}

TEST_CASE("T-3 columns: count characters, not bytes") {
  CHECK(refused("schön größer {", "14", "never closed"));
}

TEST_CASE("templates: text that is spoken may separate slots by punctuation") {
  CHECK(refusal("{hours}:{minutes}", TemplateOptions::for_dialogs()) == "fine");
  CHECK(refusal("{hours} {minutes}", TemplateOptions::for_dialogs()).starts_with("9: "));
}

TEST_CASE("templates: hostile text is refused, never a crash") {
  CHECK(refused(std::string(10'000, '('), "65", "deeper than 64 levels"));
  CHECK(refused(std::string(10'000, '['), "65", "deeper than 64 levels"));
  CHECK(refused("x " + std::string(10'000, '{'), "3", "nested"));
  CHECK(refused(std::string(300'000, 'x'), "1", "300000 bytes long"));
  CHECK(refused("caf\xc3", "4", "not UTF-8"));
  CHECK(refused(std::string("a\0b", 3), "2", "control character U+0000"));
  std::string deep = "x";
  for (std::size_t i = 0; i < Template::kMaxDepth; ++i) deep = "[" + deep + "]";
  CHECK(refusal("y " + deep) == "fine");
}

TEST_CASE("T-4 tokens: a sentence becomes normalised words and slots") {
  const Sentence sentence = tokens("What's  {name}'s Age?", "en-US");
  CHECK(joined(sentence) == "whats {name} s age");
  CHECK(sentence[1] == Token(Token::Kind::kSlot, "name"));
  CHECK(parsed("{name}'s age").warnings().size() == 1);
}

TEST_CASE("T-2 tokens: sentences that normalise alike are one") {
  CHECK(expand_tokens(parsed("(What's|whats|WHATS) up[,]"), "en-US").size() == 1);
}

TEST_CASE("T-2 pattern: accepts exactly the expanded sentences") {
  for (const char* text : {"turn on [the] (light[s]|fan)", "(wednes|thurs)day or [<greeting>]x",
                           "[please ](play|put on) {query} [now]", "a[ b ]c", "x (a [b])c (d|e)(f|g) {s}",
                           "<greeting> ({a}|the {b}) thing", "go [(far|very far) ]away",
                           "set {number:n}% [or so]", "([a] b|c[d])"}) {
    CAPTURE(text);
    const Template source = parsed(text);
    std::set<std::string> expected;
    for (const Sentence& sentence : expand_tokens(source, "en-US")) expected.insert(joined(sentence));
    CHECK(sentences_of(word_pattern(source, "en-US")) == expected);
  }
}

TEST_CASE("T-2 pattern: groups set apart by spaces are not multiplied out") {
  const Pattern pattern = word_pattern(parsed("(a|b) (c|d) [e] {x} f"), "en-US");
  REQUIRE(pattern.children.size() == 5);
  CHECK(pattern.children[0].children.size() == 2);
  CHECK(pattern.children[2].children.back().children.empty());
  CHECK(pattern.children[3].kind == Pattern::Kind::kSlot);
}

TEST_CASE("T-3 vocabularies: may refer to each other, but not in a circle") {
  Vocabularies vocabularies;
  vocabularies.add("all", "<some>");
  vocabularies.add("all", "every[one]");
  vocabularies.add("some", "(few|many)");
  vocabularies.add("a", "x");
  vocabularies.add("a", "<b> y");
  vocabularies.add("b", "<a> z");
  vocabularies.add("self", "<self>");
  const auto all = vocabularies.find("all");
  REQUIRE(all.ok());
  CHECK(**all == Lines{"few", "many", "everyone", "every"});
  for (const char* name : {"a", "b", "self"}) {
    CAPTURE(name);
    const auto found = vocabularies.find(name);
    REQUIRE_FALSE(found.ok());
    CHECK(found.error().message.find("refers to itself") != std::string::npos);
  }
  CHECK(vocabularies.find("b").error().message.find("a > b > a") != std::string::npos);
  CHECK_FALSE(vocabularies.find("none").ok());
}

TEST_CASE("T-2 vocabularies: chains that multiply or never end are refused") {
  Vocabularies doubling;
  doubling.add("v0", "(a|b)");
  for (int i = 1; i <= 60; ++i) {
    const std::string before = "<v" + std::to_string(i - 1) + ">";
    doubling.add("v" + std::to_string(i), before + " " + before);
  }
  CHECK(doubling.find("v2").ok());
  CHECK(doubling.find("v60").error().message.find("the limit is 10000") != std::string::npos);

  Vocabularies chain;
  chain.add("v0", "a");
  for (int i = 1; i <= 100; ++i) chain.add("v" + std::to_string(i), "<v" + std::to_string(i - 1) + ">");
  CHECK(chain.find("v100").error().message.find("64 levels") != std::string::npos);
}
