#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "calculation.hpp"

namespace parley::calculator {

/// Whether two words are one but for their endings: "Schachtel" and "Schachteln", "box" and "boxes".
bool is_same_noun(std::string_view one, std::string_view other);

/// Whether one of them may mean that.
bool has(std::span<const Token> tokens, Kind kind);

/// The numbers of what is told, by what they are.
class Facts {
 public:
  explicit Facts(std::span<const Token> tokens);

  std::vector<Number> percents, people;
  std::vector<Amount> amounts;
  std::vector<std::size_t> behind;  ///< The token behind each of the amounts.
  std::vector<const Unit*> wanted;  ///< Units without a number.
  bool percent_added = false;       ///< "plus 20 percent"
  bool percent_taken = false;       ///< "minus 20 percent"
  bool percent_with = false;        ///< "with 20 percent"

 private:
  bool is(std::size_t at, Kind kind) const { return at < tokens_.size() && tokens_[at].as(kind) != nullptr; }
  bool is_spelled(std::size_t at) const { return !tokens_[at].text.empty() && tokens_[at].text[0] > '9'; }
  std::size_t read_one();
  bool starts_with_part() const;
  bool is_article() const;
  bool is_one_of(std::size_t unit) const;
  std::size_t read_number();
  void note_percent(const Number& value);
  bool recurs(std::size_t noun) const;
  bool is_people(std::size_t next) const;
  std::size_t with_hundredths(Number& value, std::size_t next) const;
  std::size_t read_amount(Number value, std::size_t next);

  std::span<const Token> tokens_;
  std::size_t at_ = 0;
};

}  // namespace parley::calculator
