#pragma once

#include <parley/templates.hpp>

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace parley {

/// Between the words of a template.
constexpr bool is_space(char c) noexcept {
  return c == ' ' || c == '\t';
}

/// Reads a template into its tree. What only the tree as a whole shows is checked in template_checks.
class TemplateParser {
 public:
  TemplateParser(std::string_view text, const TemplateOptions& options) : text_(text), options_(options) {}

  Result<TemplateNode, TemplateError> run();

  std::vector<Slot>& slots() noexcept { return slots_; }
  std::vector<TemplateError>& warnings() noexcept { return warnings_; }

 private:
  bool failed() const noexcept { return error_.has_value(); }
  bool at_end() const noexcept { return at_ >= text_.size(); }
  bool at(char c) const noexcept { return !at_end() && text_[at_] == c; }
  void advance(std::size_t bytes);
  void fail(std::string reason, std::size_t column);
  void warn(std::string remark, std::size_t column) { warnings_.emplace_back(std::move(remark), column); }

  void check_characters();
  TemplateNode sequence(std::size_t depth);
  void element(TemplateNode& into, std::size_t depth);
  void text_run(TemplateNode& into);
  void group(TemplateNode& into, std::size_t depth);
  void finish_group(TemplateNode& into, TemplateNode choice, bool optional);
  void slot(TemplateNode& into);
  void add_slot(TemplateNode& into, std::string_view inside, std::size_t column);
  SlotType slot_type(std::string_view name, std::size_t column);
  void warn_if_glued(std::size_t before, std::size_t column);
  void vocabulary(TemplateNode& into);

  std::string_view text_;
  const TemplateOptions& options_;
  std::size_t at_ = 0;
  std::size_t column_ = 1;
  std::vector<Slot> slots_;
  std::vector<TemplateError> warnings_;
  std::optional<TemplateError> error_;
};

/// What is known of all sentences of a part of a template, without listing them.
struct TemplateFacts {
  bool can_be_empty = false;
  bool can_start_with_slot = false;
  bool can_end_with_slot = false;
  bool can_be_slot_alone = false;
  bool has_word = false;  ///< In some sentence.
  std::uint64_t count = 1;
  std::uint64_t bytes = 0;           ///< Of all sentences together.
  std::uint64_t forms = 0;           ///< Of what joins without a space, written out when it is compiled.
  std::set<std::string_view> slots;  ///< In some sentence.
};

/// Where the words of neighbours can run into each other, as in `light[s]`: the children of a sequence in
/// runs, each given by the index behind its last child. Within a run of several, sentences must be written
/// out to know their words; between runs there is always a space.
std::vector<std::size_t> word_runs(const TemplateNode& sequence);

/// Fails on the malformed kinds of T-3 that depend on the whole tree, and on T-2's limit.
Result<TemplateFacts, TemplateError> check_template(const TemplateNode& root, const TemplateOptions& options);

/// The combinations of a run of neighbours, white space as written.
std::vector<std::string> combine(const TemplateNode* first, const TemplateNode* last);

/// White space runs as one space, none at the ends.
std::string collapse_spaces(std::string_view text);

bool is_blank(std::string_view text) noexcept;

}  // namespace parley
