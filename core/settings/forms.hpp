#pragma once

#include <string>
#include <string_view>

#include <parley/options.hpp>

namespace parley::config {

/// Whether `text` has the form; an empty text only when the form allows it.
bool has_form(std::string_view text, TextForm form);

/// The form in words, for "must be …".
std::string_view form_in_words(TextForm form);

/// `; did you mean 'Europe/Berlin'?` where something near has the form, else nothing.
std::string form_hint(std::string_view text, TextForm form);

}  // namespace parley::config
