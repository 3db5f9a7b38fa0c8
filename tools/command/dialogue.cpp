#include "dialogue.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "dialogue_messages.hpp"
#include "terminal.hpp"

namespace parley::script {
namespace {

using Lines = std::vector<std::string>;

bool fits(const std::string& pattern, const std::string& text) {
  const auto parsed = SpokenPattern::parse(pattern);
  return parsed.ok() && parsed.value().matches(text);
}

std::vector<const Expectation*> answers_of(const Step& step) {
  std::vector<const Expectation*> out;
  for (const auto& expectation : step.expected) {
    if (expectation.claim == Claim::kSays) out.push_back(&expectation);
  }
  return out;
}

bool claims(const Step& step, Claim claim) {
  return std::any_of(step.expected.begin(), step.expected.end(),
                     [&](const Expectation& e) { return e.claim == claim; });
}

/// What happened, in the words of an `@ stage` line; empty when nothing matched.
std::string stage_of(const Outcome& outcome) {
  return outcome.matched ? outcome.pipeline_id : std::string();
}

std::string intent_of(const Outcome& outcome) {
  return outcome.matched ? outcome.skill_id + ":" + outcome.intent_name : std::string();
}

std::string stage_and_entry(const Outcome& outcome) {
  if (outcome.pipeline_entry.empty()) return outcome.pipeline_id;
  return fmt::format("{} ({})", outcome.pipeline_id, outcome.pipeline_entry);
}

/// What was instead of the claim; nothing when the claim holds. kSays is compared elsewhere.
std::optional<std::string> contradiction(const Expectation& claim, const Outcome& outcome) {
  const auto unless = [](bool holds, std::string was) {
    return holds ? std::nullopt : std::optional(std::move(was));
  };
  const bool matched = outcome.matched;
  const std::string nobody = "nobody: unmatched";
  switch (claim.claim) {
    case Claim::kSays:
      return std::nullopt;
    case Claim::kStage:
      return unless(matched && (claim.text == outcome.pipeline_id || claim.text == outcome.pipeline_entry),
                    matched ? stage_and_entry(outcome) : nobody);
    case Claim::kSkill:
      return unless(matched && claim.text == outcome.skill_id, matched ? outcome.skill_id : nobody);
    case Claim::kIntent:
      return unless(matched && (claim.text == outcome.intent_name || claim.text == intent_of(outcome)),
                    matched ? intent_of(outcome) : nobody);
    case Claim::kUnmatched:
      return unless(!matched || outcome.not_understood, intent_of(outcome));
    case Claim::kSilent:
      return unless(outcome.speech.empty(), outcome.speech.empty() ? "" : outcome.speech.front());
    case Claim::kError:
      return unless(!outcome.error.empty() && (claim.text.empty() || fits(claim.text, outcome.error)),
                    outcome.error.empty() ? "no error" : outcome.error);
    case Claim::kMessage:
      return missing_message(claim.text, outcome);
  }
  return std::nullopt;
}

std::string subject_of(Claim claim) {
  switch (claim) {
    case Claim::kSays:
      return "says";
    case Claim::kStage:
      return "stage";
    case Claim::kSkill:
      return "skill";
    case Claim::kIntent:
      return "intent";
    case Claim::kUnmatched:
      return "unmatched";
    case Claim::kSilent:
      return "silent";
    case Claim::kError:
      return "error";
    case Claim::kMessage:
      return "message";
  }
  return "says";
}

std::string wanted_text(const Expectation& claim) {
  if (claim.claim == Claim::kUnmatched) return "nobody: unmatched";
  if (claim.claim == Claim::kSilent) return "silence";
  return claim.claim == Claim::kError && claim.text.empty() ? "an error" : claim.text;
}

void compare_speech(const Step& step, const Outcome& outcome, std::vector<Difference>& out) {
  const auto wanted = answers_of(step);
  if (wanted.empty()) return;
  for (std::size_t i = 0; i < std::max(wanted.size(), outcome.speech.size()); ++i) {
    const bool expected = i < wanted.size();
    const bool said = i < outcome.speech.size();
    if (expected && said && fits(wanted[i]->text, outcome.speech[i])) continue;
    out.emplace_back(expected ? wanted[i]->line : wanted.back()->line, "says",
                     expected ? wanted[i]->text : std::string(), said ? outcome.speech[i] : std::string());
  }
}

/// The lines that describe this outcome where the claim was not met.
std::string corrected(const Expectation& claim, const Outcome& outcome) {
  if (claim.claim == Claim::kMessage) return message_line(claim.text, outcome);
  if (!outcome.matched && claim.claim != Claim::kError) return "@ unmatched";
  switch (claim.claim) {
    case Claim::kStage:
      return "@ stage " + stage_of(outcome);
    case Claim::kSkill:
      return "@ skill " + outcome.skill_id;
    case Claim::kIntent:
      return "@ intent " +
             (claim.text.find(':') == std::string::npos ? outcome.intent_name : intent_of(outcome));
    case Claim::kUnmatched:
      return "@ intent " + intent_of(outcome);
    case Claim::kError:
      return "@ error " + SpokenPattern::escaped(command::one_line(outcome.error));
    case Claim::kSays:
    case Claim::kSilent:
    case Claim::kMessage:
      break;
  }
  return {};
}

/// Line number → what stands there instead, or behind it.
struct Edits {
  Edits() = default;
  std::map<std::size_t, Lines> replaced, appended;
};

bool speech_differs(const Step& step, const Outcome& outcome) {
  if (answers_of(step).empty()) {
    const bool said_nothing_yet = step.expected.empty() && !outcome.speech.empty();
    return said_nothing_yet || (claims(step, Claim::kSilent) && !outcome.speech.empty());
  }
  std::vector<Difference> differences;
  compare_speech(step, outcome, differences);
  return !differences.empty();
}

/// Only the answers that differ change; when their number differs, the rest goes or is added at the end.
void edit_speech(const Step& step, const Outcome& outcome, Edits& edits) {
  if (!speech_differs(step, outcome)) return;
  const auto wanted = answers_of(step);
  std::size_t last = wanted.empty() ? step.line : wanted.back()->line;
  for (std::size_t i = 0; i < std::max(wanted.size(), outcome.speech.size()); ++i) {
    const std::string said = i < outcome.speech.size()
                                 ? "< " + SpokenPattern::escaped(command::one_line(outcome.speech[i]))
                                 : std::string();
    if (i >= wanted.size()) {
      edits.appended[last].push_back(said);
    } else if (said.empty()) {
      edits.replaced[wanted[i]->line] = i == 0 ? Lines{"@ silent"} : Lines{};
    } else if (!fits(wanted[i]->text, outcome.speech[i])) {
      edits.replaced[wanted[i]->line] = {said};
    }
  }
  for (const auto& expectation : step.expected) {
    if (expectation.claim == Claim::kSilent) edits.replaced[expectation.line] = {};
  }
}

void edit_claims(const Step& step, const Outcome& outcome, Edits& edits) {
  bool said_unmatched = !outcome.matched && claims(step, Claim::kUnmatched);
  for (const auto& claim : step.expected) {
    if (claim.claim == Claim::kSilent || !contradiction(claim, outcome)) continue;
    const bool gone = claim.claim == Claim::kError && outcome.error.empty();
    const std::string line = gone ? std::string() : corrected(claim, outcome);
    const bool repeated = line == "@ unmatched" && said_unmatched;
    edits.replaced[claim.line] = line.empty() || repeated ? Lines{} : Lines{line};
    said_unmatched = said_unmatched || line == "@ unmatched";
  }
  if (!outcome.error.empty() && !claims(step, Claim::kError)) {
    const std::size_t last = step.expected.empty() ? step.line : step.expected.back().line;
    edits.appended[last].push_back("@ error");
  }
}

}  // namespace

std::set<std::string> topics_of(const Dialogue& dialogue) {
  std::set<std::string> topics;
  for (const auto& step : dialogue.steps) {
    for (const auto& claim : step.expected)
      if (claim.claim == Claim::kMessage) topics.insert(read_message(claim.text).topic);
  }
  return topics;
}

std::vector<Difference> compare(const Step& step, const Outcome& outcome) {
  std::vector<Difference> out;
  compare_speech(step, outcome, out);
  for (const auto& claim : step.expected) {
    if (const auto was = contradiction(claim, outcome)) {
      out.emplace_back(claim.line, subject_of(claim.claim), wanted_text(claim), *was);
    }
  }
  if (!outcome.error.empty() && !claims(step, Claim::kError)) {
    out.emplace_back(step.line, "error", "no error", outcome.error);
  }
  return out;
}

std::string updated(const Dialogue& dialogue, const std::map<std::size_t, Outcome>& outcomes) {
  Edits edits;
  for (const auto& [index, outcome] : outcomes) {
    const Step& step = dialogue.steps.at(index);
    edit_speech(step, outcome, edits);
    edit_claims(step, outcome, edits);
  }
  std::string out;
  const std::string end = dialogue.crlf ? "\r\n" : "\n";
  const auto write = [&](const Lines& lines) {
    for (const auto& line : lines) out += line + end;
  };
  for (std::size_t line = 1; line <= dialogue.lines.size(); ++line) {
    const auto replaced = edits.replaced.find(line);
    write(replaced == edits.replaced.end() ? Lines{dialogue.lines[line - 1]} : replaced->second);
    if (const auto appended = edits.appended.find(line); appended != edits.appended.end())
      write(appended->second);
  }
  return out;
}

}  // namespace parley::script
