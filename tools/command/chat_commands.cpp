#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <parley/language.hpp>

#include "chat.hpp"
#include "explain.hpp"
#include "inventory.hpp"
#include "orchestrator/orchestrator.hpp"
#include "settings/values.hpp"

namespace parley::command {
namespace {

struct Help {
  std::string_view usage, does;
};
constexpr std::array<Help, 11> kHelp{{
    {"/explain",
     "how the last answer came about; /explain on does so after every turn, /explain off stops that"},
    {"/session NAME", "go on in that session; what was said in the others stays there"},
    {"/session new", "begin a session without a past"},
    {"/session show", "what the session carries"},
    {"/resume NAME", "go on in a session of an earlier chat as it was left; /resume alone in the latest one"},
    {"/history", "what was said in this session, earlier chats included; /history 20 for as many turns"},
    {"/lang TAG", "speak another language, as in /lang de-DE; /lang alone says which"},
    {"/pipeline", "which entries are asked, in order"},
    {"/skills", "which skills are there"},
    {"/help", "this list"},
    {"/quit", "the end; Ctrl-D does the same"},
}};

}  // namespace

std::vector<std::string> Chat::commands() {
  return {"/explain", "/help", "/history", "/lang", "/pipeline", "/quit", "/resume", "/session", "/skills"};
}

bool Chat::command(const std::string& text) {
  const auto space = text.find_first_of(" \t");
  const std::string name = text.substr(0, space);
  const auto begin = space == std::string::npos ? space : text.find_first_not_of(" \t", space);
  const std::string argument = begin == std::string::npos ? std::string() : text.substr(begin);
  if (name == "/quit" || name == "/exit") return false;
  if (name == "/help" || name == "/?") {
    help();
  } else if (name == "/explain") {
    explain_command(argument);
  } else if (name == "/session") {
    session_command(argument);
  } else if (name == "/history") {
    history_command(argument);
  } else if (name == "/resume") {
    resume_command(argument);
  } else if (name == "/lang") {
    language_command(argument);
  } else if (name == "/pipeline") {
    print(pipeline_table(backend_->ask([](Assistant& assistant) { return pipeline_of(assistant); }), paint_));
  } else if (name == "/skills") {
    print(skills_table(backend_->ask([](Assistant& assistant) { return skills_of(assistant); }), paint_));
  } else {
    const auto near = nearest(name, commands());
    print(aside(fmt::format("{} is no command{}; /help lists them.", in_quotes(name),
                            near ? fmt::format(", did you mean {}", *near) : "")));
  }
  return true;
}

void Chat::help() const {
  std::string out = "Type what you would say, for example: what time is it in tokyo\n\n";
  for (const auto& line : kHelp)
    out += fmt::format("  {}  {}\n", paint_.bold(padded(line.usage, 14)), line.does);
  print(out);
}

void Chat::explain_command(const std::string& argument) {
  if (argument == "on" || argument == "off") {
    explain_always_ = argument == "on";
    print(aside(explain_always_ ? "Every turn is explained from now on."
                                : "Turns are explained when you ask."));
  } else if (!argument.empty()) {
    print(aside("/explain takes on, off or nothing."));
  } else if (last_traces_.empty()) {
    print(aside("Nothing to explain yet: say something first."));
  } else {
    print(explained());
  }
}

void Chat::session_command(const std::string& argument) {
  if (argument == "show") return show_session();
  if (argument == "new") {
    int number = 1;
    while (sessions_.contains(fmt::format("chat-{}", number))) ++number;
    use_session(fmt::format("chat-{}", number));
  } else if (!argument.empty()) {
    use_session(argument);
  }
  std::vector<std::string> others;
  for (const auto& [id, session] : sessions_) others.push_back(id);
  others.erase(std::remove(others.begin(), others.end(), session_id_), others.end());
  const std::string rest =
      others.empty() ? std::string() : fmt::format(" There are also: {}.", fmt::join(others, ", "));
  print(aside(fmt::format("Session {}.{}", one_line(session_id_), one_line(rest))));
}

void Chat::show_session() {
  const SessionPtr session =
      backend_->ask([conversation = sessions_.at(session_id_).get()](Assistant& assistant) {
        const SessionPtr& own = conversation->session();
        return own ? own : assistant.orchestrator().sessions().current();
      });
  print(parley::to_json(*session).dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
}

void Chat::language_command(const std::string& argument) {
  const std::string known = fmt::format("{}", fmt::join(languages_, ", "));
  if (argument.empty()) {
    return print(
        aside(fmt::format("You speak {}. Enabled: {}.", lang_.empty() ? standard_language_ : lang_, known)));
  }
  const auto found = closest_language(argument, languages_);  // "en", "de-AT"
  if (!found) {
    return print(aside(
        fmt::format("{} is not enabled; there are {}. language.enabled in the configuration lists them.",
                    in_quotes(argument), known)));
  }
  lang_ = *found;
  print(aside(fmt::format("You speak {} now.", lang_)));
}

}  // namespace parley::command
