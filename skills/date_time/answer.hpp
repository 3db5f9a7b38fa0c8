#pragma once

#include <parley/turn.hpp>
#include <string>
#include <utility>

#include "knowledge.hpp"

namespace parley::date_time {

/// One answer in the making: a dialog, and the language its values have to be in.
class Answer {
 public:
  Answer(Turn turn, Knowledge& knowledge, std::string dialog)
      : turn_(std::move(turn)),
        dialog_(std::move(dialog)),
        lang_(turn_.render_lang(dialog_)),
        tongue_(knowledge.tongue(lang_)) {}

  const std::string& lang() const noexcept { return lang_; }
  const Speech& speech() const noexcept { return tongue_.speech; }
  void say(Slots slots) { turn_.speak_dialog(dialog_, std::move(slots)); }

  /// The words for a date that was understood in the utterance's language, which need not be this one.
  DateInWords in_its_language(const DateInWords& date, const Knowledge::Tongue& understood) const {
    if (tongue_.language.tag() == understood.language.tag()) return date;
    const DayNames names = speech().date_names(speech().day(date.day, true));
    return DateInWords{date.day, names.subject, names.until};
  }

 private:
  Turn turn_;
  std::string dialog_;
  std::string lang_;
  const Knowledge::Tongue& tongue_;
};

}  // namespace parley::date_time
