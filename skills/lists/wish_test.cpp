#include "wish.hpp"

#include <doctest/doctest.h>

#include <optional>
#include <string>

#include "support/shipped_locale.hpp"

namespace parley::lists {
namespace {

using Kind = Wish::Kind;

std::optional<Wish> read(const char* text, const char* lang, const Around& around) {
  static const LocaleResources locale = testing::shipped_locale(PARLEY_LISTS_FOLDER);
  static const Wishes wishes(locale);
  return wishes.read(text, lang, around);
}

/// "kind list: things", of what a list was spoken of right before.
std::string told(const char* text, const char* lang) {
  Around around;
  around.is_spoken_of = around.is_near = around.is_fresh = true;
  around.names = {"workshop", "taller"};
  const auto wish = read(text, lang, around);
  if (!wish) return "nothing";
  constexpr const char* kNames[] = {"add", "remove", "has", "read", "clear", "create"};
  return std::string(kNames[static_cast<std::size_t>(wish->kind)]) + ' ' +
         (wish->is_latest ? "that" : wish->list) + ": " + wish->things;
}

}  // namespace

TEST_CASE("wish: a list is begun and filled in one sentence") {
  CHECK_EQ(told("put a roller and tape on a list called paint shop", "en-US"),
           "create paint shop: a roller and tape");
  CHECK_EQ(told("mach neue liste baumarkt und schreib dichtung", "de-DE"), "create baumarkt: dichtung");
  CHECK_EQ(told("fais moi une liste anniversaire et mets ballons dessus", "fr-FR"),
           "create anniversaire: ballons");
  CHECK_EQ(told("haceme una lista que se llame ferretería y metele parches", "es-ES"),
           "create ferretería: parches");
  CHECK_EQ(told("faz lista nova nome oficina e põe remendos", "pt-PT"), "create oficina: remendos");
}

TEST_CASE("wish: what was just spoken of needs no name") {
  CHECK_EQ(told("sandpaper on the same list", "en-US"), "add that: sandpaper");
  CHECK_EQ(told("oh and a torch", "en-US"), "add that: a torch");
  CHECK_EQ(told("mets dessus des éponges", "fr-FR"), "add that: éponges");
  CHECK_EQ(told("agregale papel", "es-ES"), "add that: papel");
  CHECK_EQ(told("cola também na mesma lista", "pt-PT"), "add that: cola");
  CHECK_EQ(told("pon guantes también en taller", "es-ES"), "add taller: guantes");
  CHECK_EQ(told("was steht jetzt drauf", "de-DE"), "read that: ");
  CHECK_EQ(told("die oma kommt auch", "de-DE"), "nothing");
  CHECK_EQ(told("and a good night to you", "en-US"), "nothing");
  CHECK_EQ(told("put it over there", "en-US"), "nothing");
  const auto later = read("oh and a torch", "en-US", Around());
  CHECK_FALSE(later.has_value());
}

}  // namespace parley::lists
