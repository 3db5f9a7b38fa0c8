// The locale files of a skill: each line of the input that begins with `=` names the file the next lines go
// to.
#include <parley/locale.hpp>
#include <parley/text.hpp>

#include <map>
#include <string>

#include "support/fuzz.hpp"
#include "support/fuzz_input.hpp"
#include "support/temporary_folder.hpp"

using namespace parley;
using namespace parley::testing;

namespace {

constexpr std::string_view kFiles[] = {"a.intent", "a.entity",    "a.dialog", "a.voc",
                                       "a.prompt", "a.blacklist", "b.intent", "a.required"};

}  // namespace

void parley::testing::fuzz(std::string_view input) {
  std::map<std::string_view, std::string> files;
  std::string_view file = kFiles[0];
  for (FuzzInput parts(input); !parts.empty();) {
    const auto line = parts.line();
    if (line.starts_with('=') && line.size() == 2) {
      file = kFiles[static_cast<unsigned char>(line[1]) % std::size(kFiles)];
    } else {
      files[file].append(line).append("\n");
    }
  }
  const TemporaryFolder folder;
  for (const auto& [name, text] : files) folder.write("locale/en-US/" + std::string(name), text);

  LocaleFolders where;
  where.skill = folder.path();
  const LocaleResources locale(where);
  for (const auto& problem : locale.problems()) PARLEY_FUZZ_CHECK(!to_string(problem).empty());
  for (const auto& name : locale.intent_names("en-US")) {
    const auto* const intent = locale.intent("en-US", name);
    PARLEY_FUZZ_CHECK(intent != nullptr && !intent->samples.empty());
  }
  static_cast<void>(locale.entity("en-US", "a"));
  const auto said = words("some words to look for", "en-US");
  static_cast<void>(locale.vocabulary_occurs("en-US", "a", said));
  static_cast<void>(locale.vocabulary_equals("en-US", "a", said));
  try {
    static_cast<void>(locale.render("a", "en-US", {{"name", "{value} (a|b)"}}));
  } catch (const DialogError&) {  // there is no such dialog, or it wants more
  }
  if (const auto* const prompt = locale.prompt("en-US", "a")) fill_prompt(*prompt, {{"name", "{{name}}"}});
}
