#include "settings/document.hpp"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <map>
#include <optional>
#include <sstream>

#include "settings/text.hpp"
#include "settings/values.hpp"

namespace parley::config {
namespace {

struct Size {
  std::size_t values = 1;
  std::size_t height = 1;
};

Size measure(const Node& node) {
  Size size;
  const auto add = [&size](const Node& child) {
    const Size inner = measure(child);
    size.values += inner.values;
    size.height = std::max(size.height, inner.height + 1);
  };
  for (const Node& item : node.items) add(item);
  for (const Member& member : node.members) add(member.value);
  return size;
}

/// Builds the tree from the parser's events. Refuses by throwing YAML::ParserException, which carries
/// the place, as the parser does itself.
class Builder final : public YAML::EventHandler {
 public:
  Builder(std::shared_ptr<const std::string> source, Positions positions, std::vector<Problem>& problems,
          std::size_t most_values)
      : source_(std::move(source)), positions_(positions), problems_(problems), most_values_(most_values) {}

  Node take() { return std::move(root_); }

  Place place(const YAML::Mark& mark) const {
    Place place;
    place.source = source_;
    if (positions_ == Positions::kHidden) return place;
    place.line = std::max(mark.line, 0) + 1;
    place.column = std::max(mark.column, 0) + 1;
    return place;
  }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (std::exchange(started_, true))
      throw YAML::ParserException(mark, "a second document; one is expected");
  }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    add(node(Node::Kind::kNull, mark), anchor, mark);
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    Node scalar = node(Node::Kind::kScalar, mark);
    scalar.is_quoted = tag != "?" && !tag.empty();
    scalar.text = value;
    add(std::move(scalar), anchor, mark);
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto found = anchors_.find(anchor);
    if (found == anchors_.end()) throw YAML::ParserException(mark, "an alias within the value it names");
    const Size size = measure(found->second);
    if (open_.size() + size.height > kDeepestNesting) too_deep(mark);
    values_ += size.values;
    Node copy = found->second;
    copy.place = place(mark);
    add(std::move(copy), YAML::NullAnchor, mark);
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& /*tag*/, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value /*style*/) override {
    open(node(Node::Kind::kList, mark), anchor, mark);
  }
  void OnSequenceEnd() override { close(); }

  void OnMapStart(const YAML::Mark& mark, const std::string& /*tag*/, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value /*style*/) override {
    open(node(Node::Kind::kMap, mark), anchor, mark);
  }
  void OnMapEnd() override { close(); }

 private:
  struct Open {
    Node node;
    YAML::anchor_t anchor = YAML::NullAnchor;
    YAML::Mark mark;
    std::optional<Node> key;                        // of a map, while its value is awaited
    std::map<std::string, int, std::less<>> lines;  // of a map: where its keys are
  };

  Node node(Node::Kind kind, const YAML::Mark& mark) const {
    Node made(kind);
    made.place = place(mark);
    return made;
  }

  [[noreturn]] static void too_deep(const YAML::Mark& mark) {
    throw YAML::ParserException(mark, fmt::format("nested deeper than {} levels", kDeepestNesting));
  }

  void open(Node node, YAML::anchor_t anchor, const YAML::Mark& mark) {
    if (open_.size() >= kDeepestNesting) too_deep(mark);
    Open opened;
    opened.node = std::move(node);
    opened.anchor = anchor;
    opened.mark = mark;
    open_.push_back(std::move(opened));
  }

  void close() {
    Open closed = std::move(open_.back());
    open_.pop_back();
    add(std::move(closed.node), closed.anchor, closed.mark);
  }

  void add(Node node, YAML::anchor_t anchor, const YAML::Mark& mark) {
    if (++values_ > most_values_) {
      throw YAML::ParserException(mark, fmt::format("more than {} values", most_values_));
    }
    if (anchor != YAML::NullAnchor) anchors_.insert_or_assign(anchor, node);
    if (open_.empty()) {
      root_ = std::move(node);
    } else if (open_.back().node.is_map()) {
      add_to_map(open_.back(), std::move(node));
    } else {
      open_.back().node.items.push_back(std::move(node));
    }
  }

  void add_to_map(Open& map, Node node) {
    if (!map.key) {
      map.key = std::move(node);
      return;
    }
    const Node key = *std::exchange(map.key, std::nullopt);
    if (key.kind != Node::Kind::kScalar) {
      problems_.push_back(problem_at(key.place, "a key must be text"));
      return;
    }
    const auto [earlier, is_new] = map.lines.emplace(key.text, key.place.line);
    if (!is_new) {
      problems_.push_back(problem_at(key.place, duplicate_message(key.text, earlier->second)));
      return;
    }
    Member added;
    added.key = key.text;
    added.place = key.place;
    added.value = std::move(node);
    // An empty value is reported by the parser where the next token begins; its key says more.
    if (added.value.is_null()) added.value.place = key.place;
    map.node.members.push_back(std::move(added));
  }

  static std::string duplicate_message(const std::string& key, int line) {
    if (line == 0) return fmt::format("duplicate key {}", in_quotes(key));
    return fmt::format("duplicate key {}; it is already on line {}", in_quotes(key), line);
  }

  std::shared_ptr<const std::string> source_;
  Positions positions_;
  std::vector<Problem>& problems_;
  std::size_t most_values_;
  bool started_ = false;
  std::size_t values_ = 0;
  Node root_;
  std::vector<Open> open_;
  std::map<YAML::anchor_t, Node> anchors_;
};

std::string_view without_byte_order_mark(std::string_view text) {
  constexpr std::string_view kMark = "\xEF\xBB\xBF";
  return text.starts_with(kMark) ? text.substr(kMark.size()) : text;
}

// What to look for, where the parser's own words leave a reader alone.
std::string_view hint(std::string_view message) {
  if (message == YAML::ErrorMsg::END_OF_MAP || message == YAML::ErrorMsg::END_OF_SEQ) {
    return "; check the indentation of this line and the one before";
  }
  if (message == YAML::ErrorMsg::END_OF_MAP_FLOW) return "; a '}' or a ',' is missing";
  if (message == YAML::ErrorMsg::END_OF_SEQ_FLOW) return "; a ']' or a ',' is missing";
  if (message == YAML::ErrorMsg::MAP_VALUE) return "; quote text that holds ': '";
  return "";
}

/// The place of a tab before the first word of a line, in the lines up to that one; they are counted from 0.
std::optional<YAML::Mark> tab_in_indentation(std::string_view text, int last_line) {
  YAML::Mark mark;
  for (mark.line = 0; mark.line <= last_line && !text.empty(); ++mark.line) {
    const std::string_view line = text.substr(0, text.find('\n'));
    const std::size_t indented = std::min(line.find_first_not_of(" \t"), line.size());
    const std::size_t tab = line.substr(0, indented).find('\t');
    mark.column = static_cast<int>(tab);
    if (tab != std::string_view::npos && indented < line.size()) return mark;
    text.remove_prefix(std::min(line.size() + 1, text.size()));
  }
  return std::nullopt;
}

void run_parser(std::string_view text, Builder& builder, std::vector<Problem>& problems) {
  try {
    std::istringstream stream{std::string(text)};
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(builder)) {
    }
  } catch (const YAML::Exception& error) {
    if (const auto tab = tab_in_indentation(text, error.mark.line)) {
      problems.push_back(problem_at(builder.place(*tab),
                                    "not valid YAML: the line is indented with a tab; indent with spaces"));
      return;
    }
    problems.push_back(problem_at(builder.place(error.mark),
                                  fmt::format("not valid YAML: {}{}", error.msg, hint(error.msg))));
  }
}

}  // namespace

Problem problem_at(const Place& place, std::string message) {
  return {place.source ? *place.source : "built in", place.line, place.column, std::move(message)};
}

// Here, where Member is complete.
Node::Node() = default;
Node::Node(Kind of) : kind(of) {}
Node::Node(const Node&) = default;
Node::Node(Node&&) noexcept = default;
Node& Node::operator=(const Node&) = default;
Node& Node::operator=(Node&&) noexcept = default;
Node::~Node() = default;

const Node* Node::find(std::string_view key) const {
  const auto found =
      std::find_if(members.begin(), members.end(), [&](const Member& member) { return member.key == key; });
  return found == members.end() ? nullptr : &found->value;
}

Node* Node::find(std::string_view key) {
  return const_cast<Node*>(std::as_const(*this).find(key));  // NOLINT: *this is not const
}

Node& Node::at(std::string_view key, const Place& where) {
  if (Node* const found = find(key)) return *found;
  Member added;
  added.key = std::string(key);
  added.place = where;
  added.value.place = where;
  return members.emplace_back(std::move(added)).value;
}

Node parse_document(std::string_view text, const std::string& source, Positions positions,
                    std::vector<Problem>& problems, const DocumentLimits& limits) {
  const auto name = std::make_shared<const std::string>(source);
  Builder builder(name, positions, problems, limits.values);
  Node nothing;
  nothing.place = builder.place(YAML::Mark());
  if (text.size() > limits.bytes) {
    problems.push_back(problem_at(
        nothing.place, fmt::format("larger than {}; a configuration is not", format_size(limits.bytes))));
    return nothing;
  }
  if (const auto bad = find_bad_text(text)) {
    YAML::Mark mark;
    mark.line = bad->line - 1;
    mark.column = bad->column - 1;
    problems.push_back(problem_at(builder.place(mark), bad->reason + "; save it as plain UTF-8 text"));
    return nothing;
  }
  run_parser(without_byte_order_mark(text), builder, problems);
  Node root = builder.take();
  if (root.is_null()) root.place = nothing.place;
  return root;
}

}  // namespace parley::config
