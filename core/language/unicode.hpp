#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// The few things the locale room asks of ICU, without its headers.
namespace parley::unicode {

/// One code point and where the next one starts; `value` is negative where the bytes are not UTF-8.
struct CodePoint {
  std::int32_t value;
  std::size_t next;
};

CodePoint decode(std::string_view text, std::size_t at) noexcept;

/// The first byte that is not UTF-8, or npos.
std::size_t first_invalid(std::string_view text) noexcept;

/// How many code points precede the byte `at`, bytes that are not UTF-8 counting as one each.
std::size_t code_points_before(std::string_view text, std::size_t at) noexcept;

bool is_digit(std::int32_t code_point) noexcept;
bool is_word_part(std::int32_t code_point) noexcept;  ///< Letter, mark or number.
bool is_invisible(std::int32_t code_point) noexcept;  ///< Format character: soft hyphen, joiner, …
bool is_currency(std::int32_t code_point) noexcept;
bool is_unspaced(std::int32_t code_point) noexcept;  ///< Of a script written without spaces between words.

/// Lower-cased, compatibility-composed text, and the way back to where it came from.
class Folded {
 public:
  /// `primary` is a lower-case primary language subtag. Bytes that are not UTF-8 become spaces.
  Folded(std::string_view text, const std::string& primary);

  const std::string& text() const noexcept { return text_; }
  std::size_t source_begin(std::size_t at) const { return source(at, false); }
  std::size_t source_end(std::size_t at) const { return source(at, true); }

 private:
  struct Change {
    std::size_t from, from_length, to, to_length;
  };
  using Changes = std::vector<Change>;

  std::size_t source(std::size_t at, bool end) const;
  static std::string compose(const std::string& text, Changes& changes);
  static std::string lower(const std::string& text, const std::string& primary, Changes& changes);

  std::string text_;
  Changes composed_, lowered_;
};

/// Canonical composition of one word; cheap when it already is composed.
std::string composed(std::string word);

/// Where the dictionary and the Unicode rules see a word boundary, ascending.
std::vector<std::size_t> word_boundaries(std::string_view text);

}  // namespace parley::unicode
