#include "why.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <parley/text.hpp>
#include <set>

#include "facts.hpp"

namespace parley::memory {
namespace {

/// Of its trace; an empty array: none was kept.
Json steps_of(const Json& turn) {
  const auto trace = turn.find("trace");
  if (trace == turn.end() || !trace->is_object()) return Json::array();
  const auto steps = trace->find("steps");
  return steps != trace->end() && steps->is_array() ? *steps : Json::array();
}

std::string trace_fact(const Json& step, const char* name) {
  const auto facts = step.find("facts");
  return facts == step.end() ? std::string() : text_at(*facts, name);
}

std::string before_colon(const std::string& text) {
  return text.substr(0, text.find(':'));
}

int percent(const std::string& share) {
  return static_cast<int>(std::lround(std::strtod(share.c_str(), nullptr) * 100));
}

/// What filled the slots, out of "place: Tokyo, day: tomorrow".
std::vector<std::string> slot_values(const std::string& slots) {
  std::vector<std::string> values;
  std::size_t begin = 0;
  while ((begin = slots.find(": ", begin)) != std::string::npos) {
    begin += 2;
    const std::size_t colon = slots.find(": ", begin);
    const std::size_t end = colon == std::string::npos ? slots.size() : slots.rfind(", ", colon);
    if (end == std::string::npos || end < begin) break;
    values.push_back(slots.substr(begin, end - begin));
    begin = end;
  }
  return values;
}

/// The words of an utterance that no slot took, as they were said.
std::string literal_words(const std::string& said, const std::vector<std::string>& values,
                          const std::string& lang) {
  const auto all = words(said, lang);
  std::vector<bool> taken(all.size(), false);
  for (const auto& value : values) {
    const auto part = words(value, lang);
    const auto found = std::search(all.begin(), all.end(), part.begin(), part.end(),
                                   [](const Word& one, const Word& other) { return one.norm == other.norm; });
    if (part.empty() || found == all.end()) continue;
    std::fill_n(taken.begin() + (found - all.begin()), part.size(), true);
  }
  std::string text;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (taken[i]) {
      if (!text.empty() && !text.ends_with("…")) text += " …";
      continue;
    }
    text += (text.empty() ? "" : " ") + said.substr(all[i].begin, all[i].end - all[i].begin);
  }
  if (text.ends_with(" …")) text.resize(text.size() - std::string(" …").size());
  return text;
}

/// Of a turn that one skill took: how it came to it, and who else came into question.
class TraceReader {
 public:
  TraceReader(const Json& turn, const std::string& lang) : turn_(turn), steps_(steps_of(turn)), lang_(lang) {}

  Reason read() {
    const Json* const match = last("match");
    if (match == nullptr) {
      reason_.kind = Reason::Kind::kNobody;
      return reason_;
    }
    const std::string winner = text_at(*match, "text");
    skill_id_ = before_colon(winner);
    const std::string stage = trace_fact(*match, "pipeline_id");
    reason_.words = literal_words(text_at(turn_, "said"), slot_values(trace_fact(*match, "slots")), lang_);
    if (winner.ends_with(":common_query")) {
      read_contest();
    } else if (winner.ends_with(":fallback")) {
      reason_.kind = Reason::Kind::kFallback;
    } else if (winner.ends_with(":stop") || winner.ends_with(":global_stop")) {
      reason_.kind = Reason::Kind::kStop;
    } else if (winner.ends_with(":converse") || winner.ends_with(":response")) {
      reason_.kind = Reason::Kind::kFloor;
    } else {
      read_intent(winner);
    }
    reason_.skill = spoken_skill(skill_id_);
    others_.erase(reason_.skill);
    reason_.others.assign(others_.begin(), others_.end());
    return reason_;
  }

 private:
  const Json* last(const std::string& kind) const {
    const Json* found = nullptr;
    for (const auto& step : steps_) {
      if (text_at(step, "kind") == kind) found = &step;
    }
    return found;
  }

  void read_intent(const std::string& winner) {
    reason_.kind = Reason::Kind::kWords;
    for (const auto& step : steps_) {
      if (text_at(step, "kind") != "candidate") continue;
      if (text_at(step, "subject") != winner) {
        others_.insert(spoken_skill(before_colon(text_at(step, "subject"))));
        continue;
      }
      const bool is_alike = text_at(step, "text").starts_with("resembl");
      reason_.kind = is_alike ? Reason::Kind::kResemblance : Reason::Kind::kWords;
      reason_.certainty = percent(trace_fact(step, "score"));
    }
  }

  void read_contest() {
    reason_.kind = Reason::Kind::kQuestion;
    for (const auto& step : steps_) {
      const std::string kind = text_at(step, "kind");
      if (kind == "candidate" && text_at(step, "text") == "wins") {
        skill_id_ = before_colon(text_at(step, "subject"));
        reason_.certainty = percent(trace_fact(step, "score"));
      } else if (kind == "answer" && !trace_fact(step, "conf").empty()) {
        others_.insert(spoken_skill(text_at(step, "subject")));
      }
    }
  }

  const Json& turn_;
  const Json steps_;
  const std::string& lang_;
  std::string skill_id_;
  std::set<std::string> others_;
  Reason reason_;
};

}  // namespace

Reason reason_of(const Json& turn, const std::string& lang) {
  if (!steps_of(turn).empty()) return TraceReader(turn, lang).read();
  Reason reason;
  reason.skill = spoken_skill(text_at(turn, "skill_id"));
  return reason;
}

const char* dialog_of(Reason::Kind kind) {
  switch (kind) {
    case Reason::Kind::kWords:
      return "why_words";
    case Reason::Kind::kResemblance:
      return "why_resemblance";
    case Reason::Kind::kQuestion:
      return "why_question";
    case Reason::Kind::kFallback:
      return "why_fallback";
    case Reason::Kind::kFloor:
      return "why_floor";
    case Reason::Kind::kStop:
      return "why_stop";
    case Reason::Kind::kNobody:
      return "why_nobody";
    case Reason::Kind::kUnknown:
      return "why_unknown";
  }
  return "why_unknown";
}

std::string spoken_skill(std::string skill_id) {
  if (const auto dot = skill_id.find('.'); dot != std::string::npos) skill_id.resize(dot);
  std::replace(skill_id.begin(), skill_id.end(), '_', ' ');
  return skill_id;
}

}  // namespace parley::memory
