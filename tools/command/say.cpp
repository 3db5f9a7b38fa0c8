#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "explain.hpp"
#include "host.hpp"
#include "lines.hpp"
#include "terminal.hpp"
#include "unfinished.hpp"

namespace parley::command {
namespace {

int exit_code(TurnStatus status) {
  switch (status) {
    case TurnStatus::kAnswered:
      return kGood;
    case TurnStatus::kUnmatched:
      return kDiffers;
    case TurnStatus::kError:
    case TurnStatus::kCancelled:
      return kFailed;
  }
  return kFailed;
}

class Speaker {
 public:
  Speaker(const GlobalOptions& global, const SayOptions& options)
      : options_(options),
        host_(for_these(load_setup(global), options)),
        conversation_(host_.assistant(),
                      options.session.empty() ? nullptr : std::make_shared<const Session>(options.session)) {}

  int say(const std::string& text) {
    TurnInput input(text);
    input.lang = options_.lang;
    input.trace = options_.explain;
    const TurnResult result = host_.say(conversation_, std::move(input));
    show(result, text);
    return exit_code(result.status);
  }

  /// After the last.
  void warn_of_unfinished() {
    if (const std::string left = unfinished(host_.assistant()); !left.empty()) complain(left);
  }

 private:
  /// What one line told the next can ask for, and all are of one language.
  static Setup for_these(Setup setup, const SayOptions& options) {
    setup.options.logs_in_memory = true;
    return only_languages(std::move(setup), {options.lang});
  }

  void show(const TurnResult& result, const std::string& text) const {
    std::string out;
    if (options_.json) {
      out = dump(to_json(result)) + "\n";
    } else {
      for (const auto& speech : result.speech) out += one_line(speech.utterance) + "\n";
    }
    for (const auto& trace : {result.trace, result.resumed_trace}) {
      if (trace) out += explain(*trace, Paint(wants_colour(STDOUT_FILENO)));
    }
    print(out);
    if (result.status == TurnStatus::kError || result.status == TurnStatus::kCancelled) {
      const std::string who =
          result.skill_id.empty() ? "the turn" : fmt::format("{}:{}", result.skill_id, result.intent_name);
      const std::string why = result.error.empty() ? std::string(to_string(result.status)) : result.error;
      complain(fmt::format("{} failed: {}", who, one_line(why)));
    } else if (result.status == TurnStatus::kUnmatched && !options_.json) {
      complain(fmt::format("nobody knew what to do with \"{}\"", shortened(text)));
    }
  }

  const SayOptions& options_;
  Host host_;
  Conversation conversation_;
};

int say_lines(const GlobalOptions& global, const SayOptions& options) {
  LineReader reader(STDIN_FILENO);
  std::optional<Speaker> speaker;
  int worst = kGood;
  bool any = false;
  while (const auto line = reader.next()) {
    if (line->find_first_not_of(" \t\r") == std::string::npos) continue;
    any = true;
    if (const auto bad = line_problem(*line)) {
      complain(fmt::format("stdin, line {}: {}", reader.number(), *bad));
      worst = kFailed;
      continue;
    }
    if (!speaker) speaker.emplace(global, options);
    worst = std::max(worst, speaker->say(*line));
  }
  if (speaker) speaker->warn_of_unfinished();
  if (any) return worst;
  complain("nothing to say: give the text as arguments, or one utterance a line on stdin");
  return kFailed;
}

}  // namespace

int say(const GlobalOptions& global, const SayOptions& options) {
  if (options.words.empty() || options.words == std::vector<std::string>{"-"}) {
    if (options.words.empty() && is_terminal(STDIN_FILENO)) {
      complain("nothing to say. Try: parley say what time is it");
      return kFailed;
    }
    return say_lines(global, options);
  }
  const std::string text = fmt::format("{}", fmt::join(options.words, " "));
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) {
    complain("nothing to say: the text is blank");
    return kFailed;
  }
  if (const auto bad = line_problem(text)) {
    complain(*bad);
    return kFailed;
  }
  Speaker speaker(global, options);
  const int code = speaker.say(text);
  speaker.warn_of_unfinished();
  return code;
}

}  // namespace parley::command
