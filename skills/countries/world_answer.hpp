#pragma once

#include <optional>
#include <parley/locale.hpp>
#include <parley/sentences.hpp>
#include <string>
#include <vector>

#include "names.hpp"
#include "reply.hpp"
#include "speech.hpp"
#include "world.hpp"

namespace parley::countries {

/// Answers what compares countries, what is about a part of the world, and what World knows of one.
class WorldAnswer {
 public:
  WorldAnswer(const LocaleResources& locale, const Atlas& atlas, const World& world, const Names& names,
              const Speech& speech, std::string tag)
      : locale_(locale), atlas_(atlas), world_(world), names_(names), speech_(speech), tag_(std::move(tag)) {}

  /// @param subject  what is spoken of, for a question that leaves it out
  /// @return nothing when it is no such question, or about something that is not known
  std::optional<Reply> to(const Sentences::Match& match, const Subject& subject) const;

  /// The comparison that a question makes; nothing: it makes none, or says only of what.
  static std::optional<std::string> comparison(const std::string& question);

 private:
  using Found = std::optional<Reply>;
  using Slots = std::map<std::string, std::string>;
  using Some = std::vector<const Country*>;

  Found about_country(const std::string& question, const Country& country, const Facts& facts) const;
  Found about_region(const std::string& question, const std::string& region) const;
  Found compared_lately(const Subject& subject) const;
  Found compared(const std::string& question, const Country& one, const Country& other) const;
  Found continent(const Country& country, const Facts& facts, bool with_neighbours) const;
  Found flag(const Country& country, const Facts& facts) const;
  /// @param codes  of some countries, with spaces between
  Found superlative_of(const std::string& question, const std::string& codes) const;
  static const Country* utmost(const std::string& question, const Some& countries);
  Found superlative(const std::string& question, const std::string& region) const;
  Found paid_with(const std::string& money) const;
  Found spoken_in(const std::string& language) const;
  Found listed(const char* dialog, const Some& countries, Slots slots) const;

  Some in_region(const std::string& region) const;
  std::string figure(const std::string& question, const Country& country) const;
  Reply say(const std::string& dialog, const Country& country, Slots slots) const;
  Reply say(const std::string& dialog, const Slots& slots) const;

  const LocaleResources& locale_;
  const Atlas& atlas_;
  const World& world_;
  const Names& names_;
  const Speech& speech_;
  std::string tag_;
};

}  // namespace parley::countries
