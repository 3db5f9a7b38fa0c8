#include <parley/language.hpp>
#include <parley/text.hpp>

#include <algorithm>
#include <array>
#include <cstdint>

#include "language/unicode.hpp"

namespace parley {
namespace {

constexpr std::size_t kMaxText = std::size_t{256} << 20U;  // ICU counts in 32 bits

enum class CharKind : std::uint8_t {
  kBreak,
  kLetter,
  kDigit,
  kUnspaced,
  kApostrophe,
  kInvisible,
  kPoint,
  kPrefix,
  kSuffix
};

constexpr CharKind ascii_kind(char c) noexcept {
  if (c >= '0' && c <= '9') return CharKind::kDigit;
  if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) return CharKind::kLetter;
  if (c == '\'' || c == '`') return CharKind::kApostrophe;
  if (c == '.' || c == ',' || c == ':') return CharKind::kPoint;
  if (c == '+' || c == '-' || c == '$') return CharKind::kPrefix;
  return c == '%' ? CharKind::kSuffix : CharKind::kBreak;
}

constexpr std::array<CharKind, 128> kAsciiKinds = [] {
  std::array<CharKind, 128> kinds{};
  for (std::size_t i = 0; i < kinds.size(); ++i) kinds[i] = ascii_kind(static_cast<char>(i));
  return kinds;
}();

CharKind char_kind_of(std::int32_t code_point) noexcept {
  switch (code_point) {
    case 0x00B4:
    case 0x02B9:
    case 0x02BB:
    case 0x02BC:
    case 0x055A:
    case 0x2018:
    case 0x2019:
    case 0x201B:
    case 0x2032:
      return CharKind::kApostrophe;
    case 0x2030:
    case 0x00B0:
      return CharKind::kSuffix;
    case 0x2212:
      return CharKind::kPrefix;
    default:
      break;
  }
  if (code_point < 0) return CharKind::kBreak;
  if (unicode::is_digit(code_point)) return CharKind::kDigit;
  if (unicode::is_word_part(code_point)) {
    return unicode::is_unspaced(code_point) ? CharKind::kUnspaced : CharKind::kLetter;
  }
  if (unicode::is_invisible(code_point)) return CharKind::kInvisible;
  return unicode::is_currency(code_point) ? CharKind::kPrefix : CharKind::kBreak;
}

constexpr bool is_word(CharKind kind) noexcept {
  return kind == CharKind::kLetter || kind == CharKind::kDigit || kind == CharKind::kUnspaced;
}

/// Walks a folded text once. ASCII letters are lower-cased on the way, so ASCII needs no folding before.
class Splitter {
 public:
  Splitter(std::string_view text, bool elides) : text_(text), elides_(elides) {
    words_.reserve(text.size() / 5 + 1);
  }

  std::vector<Word> run() && {
    for (std::size_t at = 0; at < text_.size();) {
      const Step step = step_at(at);
      take(step, at);
      at = step.next;
    }
    close();
    return std::move(words_);
  }

 private:
  static constexpr std::size_t kNone = std::string_view::npos;

  struct Step {
    CharKind kind;
    std::size_t next;
  };

  Step step_at(std::size_t at) const noexcept {
    const auto byte = static_cast<unsigned char>(text_[at]);
    if (byte < kAsciiKinds.size()) return {kAsciiKinds[byte], at + 1};
    const unicode::CodePoint here = unicode::decode(text_, at);
    return {char_kind_of(here.value), here.next};
  }

  bool word_follows(std::size_t at) const noexcept { return at < text_.size() && is_word(step_at(at).kind); }
  bool digit_follows(std::size_t at) const noexcept {
    return at < text_.size() && step_at(at).kind == CharKind::kDigit;
  }

  void take(const Step& step, std::size_t at) {
    switch (step.kind) {
      case CharKind::kLetter:
      case CharKind::kDigit:
      case CharKind::kUnspaced:
        return take_word(step, at);
      case CharKind::kInvisible:
        return;
      case CharKind::kApostrophe:
        if (elides_ || !word_follows(step.next) || (last_ == CharKind::kDigit && digit_follows(step.next)))
          close();
        return;
      case CharKind::kPoint:
        if (!open_ || last_ != CharKind::kDigit || !digit_follows(step.next)) return close();
        return append(step, at);
      case CharKind::kPrefix:
        if (!open_ && prefix_ == kNone) prefix_ = at;
        if (open_) close();
        return;
      case CharKind::kSuffix:
        if (open_ && last_ == CharKind::kDigit) end_ = step.next;
        return close();
      case CharKind::kBreak:
        return close();
    }
  }

  void take_word(const Step& step, std::size_t at) {
    const bool unspaced = step.kind == CharKind::kUnspaced || last_ == CharKind::kUnspaced;
    if (open_ && unspaced && is_boundary(at)) close();
    if (!open_) {
      open_ = true;
      begin_ = step.kind == CharKind::kDigit && prefix_ != kNone ? prefix_ : at;
    }
    append(step, at);
    last_ = step.kind;
  }

  void append(const Step& step, std::size_t at) {
    const char first = text_[at];
    if (step.next == at + 1 && first >= 'A' && first <= 'Z') {
      norm_.push_back(static_cast<char>(first - 'A' + 'a'));
    } else {
      norm_.append(text_.substr(at, step.next - at));
    }
    end_ = step.next;
  }

  void close() {
    prefix_ = kNone;
    if (!open_) return;
    words_.emplace_back(std::move(norm_), begin_, end_);
    norm_.clear();
    open_ = false;
    last_ = CharKind::kBreak;
  }

  bool is_boundary(std::size_t at) {
    if (boundaries_.empty()) boundaries_ = unicode::word_boundaries(text_);
    return std::binary_search(boundaries_.begin(), boundaries_.end(), at);
  }

  std::string_view text_;
  bool elides_;
  bool open_ = false;
  CharKind last_ = CharKind::kBreak;
  std::size_t begin_ = 0, end_ = 0;
  std::size_t prefix_ = kNone;  ///< Where a sign or currency symbol started right before here.
  std::string norm_;
  std::vector<Word> words_;
  std::vector<std::size_t> boundaries_;
};

bool is_ascii(std::string_view text) noexcept {
  return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

bool is_any_of(std::string_view primary, std::initializer_list<std::string_view> languages) noexcept {
  return std::find(languages.begin(), languages.end(), primary) != languages.end();
}

}  // namespace

std::vector<Word> words(std::string_view utf8, std::string_view lang) {
  const std::string_view text = utf8.substr(0, kMaxText);
  const std::string primary = primary_language(lang);
  const bool elides = is_any_of(primary, {"fr", "it", "ca", "oc", "co", "frp", "pms", "scn"});
  const bool dotless = is_any_of(primary, {"tr", "az"});  // I and i are two different letters there
  if (!dotless && is_ascii(text)) return Splitter(text, elides).run();

  const unicode::Folded folded(text, primary);
  std::vector<Word> found = Splitter(folded.text(), elides).run();
  for (Word& word : found) {
    word.norm = unicode::composed(std::move(word.norm));
    word.begin = folded.source_begin(word.begin);
    word.end = folded.source_end(word.end);
  }
  return found;
}

std::string normalise(std::string_view utf8, std::string_view lang) {
  std::string joined;
  joined.reserve(utf8.size());
  for (const Word& word : words(utf8, lang)) {
    if (!joined.empty()) joined.push_back(' ');
    joined.append(word.norm);
  }
  return joined;
}

std::string_view surface(std::string_view text, std::span<const Word> said) {
  if (said.empty() || said.back().end > text.size() || said.front().begin > said.back().end) return {};
  return text.substr(said.front().begin, said.back().end - said.front().begin);
}

}  // namespace parley
