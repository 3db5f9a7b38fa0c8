#include <algorithm>
#include <array>
#include <iterator>
#include <parley/speech.hpp>

#include "policy.hpp"

namespace parley::guide {
namespace {

/// What may be asked about what was offered, and not chosen yet.
constexpr std::array kAboutChoices{"how_long",   "how_long_all", "serves", "requirements",
                                   "difficulty", "what_is_it",   "amount", "left"};

}  // namespace

Reply tell_choices(const State& state, const World& world, const std::string& dialog) {
  Reply reply;
  Screen screen;
  std::vector<std::string> titles;
  for (std::size_t at = state.first_shown; at < state.found.size() && titles.size() < 3; ++at) {
    const TaskMap* const task = world.shelf->task(state.found[at]);
    if (task == nullptr) continue;
    titles.push_back(task->title);
    screen.list.emplace_back(task->title);
    reply.options.push_back("=" + task->title);
  }
  if (titles.empty()) return saying("what_else");
  if (titles.size() == 1) {
    reply.say("choices_one", {{"titles", titles.front()}});
  } else {
    reply.say(dialog, {{"titles", say_choice(titles, world.shelf->lang())}});
  }
  reply.screen = std::move(screen);
  if (state.first_shown + 3 < state.found.size()) reply.offer({"option_more"});
  return reply;
}

namespace {

/// The choices that were told, or those of them that a question names: "how long does {the soup} take".
std::vector<std::string> asked_about(const State& state, const Heard& heard, const World& world) {
  const auto from = state.found.begin() + static_cast<std::ptrdiff_t>(state.first_shown);
  const std::vector<std::string> shown(from, state.found.end() - from > 3 ? from + 3 : state.found.end());
  std::string choice;
  for (const char* const question : kAboutChoices)
    if (choice.empty()) choice = heard.slot(question, "choice");
  const auto said = world.shelf->words().stems(choice);
  const auto is_named = [&](const std::string& id) {
    const TaskMap* const task = world.shelf->task(id);
    if (task == nullptr) return false;
    const auto title = world.shelf->words().stems(task->title);
    return std::all_of(said.begin(), said.end(), [&](const std::string& word) {
      return std::find(title.begin(), title.end(), word) != title.end();
    });
  };
  std::vector<std::string> named;
  std::copy_if(shown.begin(), shown.end(), std::back_inserter(named), is_named);
  return named;
}

}  // namespace

std::optional<Reply> answer_about_choices(const State& state, const Heard& heard, const World& world) {
  const bool asked = std::any_of(kAboutChoices.begin(), kAboutChoices.end(),
                                 [&](const char* question) { return heard.is(question); });
  if (!asked || heard.is("trivia") || state.found.size() <= state.first_shown) return std::nullopt;
  Reply reply;
  const bool one_shown = state.found.size() - state.first_shown == 1;
  const auto meant = asked_about(state, heard, world);
  if (meant.size() > 1 && heard.is("requirements")) return saying("which_one");  // too much to listen to
  for (const std::string& id : meant) {
    State chosen = state;
    chosen.task = id;
    const auto told = answer_about(chosen, heard, world);
    if (!told || !told->understood) continue;
    const bool names_itself = one_shown || heard.is("what_is_it");
    if (!names_itself) reply.say("chosen", {{"title", task_of(chosen, world)->title}});
    reply.lines.insert(reply.lines.end(), told->lines.begin(), told->lines.end());
  }
  if (reply.lines.empty()) return std::nullopt;
  reply.say(one_shown ? "shall_we_take_it" : "which_one");
  return reply;
}

}  // namespace parley::guide
