#pragma once

#include <string>
#include <string_view>

#include "config/schema.hpp"

namespace parley::config {

/// Whether `text` has the form; an empty text only when the form allows it.
bool has_form(std::string_view text, Form form);

/// The form in words, for "must be …".
std::string_view form_in_words(Form form);

/// `; did you mean 'Europe/Berlin'?` where something near has the form, else nothing.
std::string form_hint(std::string_view text, Form form);

}  // namespace parley::config
