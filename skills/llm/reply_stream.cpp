#include "reply_stream.hpp"

#include <nlohmann/json.hpp>
#include <parley/language_model.hpp>

namespace parley::llm {
namespace {

constexpr std::size_t kLongest = 1 << 20;  ///< Bytes kept of a line or of a body that is not streamed.

}  // namespace

std::string ReplyStream::add(std::string_view piece) {
  std::string text;
  pending_ += piece;
  std::size_t from = 0;
  for (std::size_t end = pending_.find('\n'); end != std::string::npos; end = pending_.find('\n', from)) {
    text += read_line(std::string_view(pending_).substr(from, end - from));
    from = end + 1;
  }
  pending_.erase(0, from);
  if (pending_.size() > kLongest) error_ = "a line of the reply is longer than 1 MiB";
  return text;
}

std::string ReplyStream::read_line(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (!line.starts_with("data:")) {
    if (!events_ && plain_.size() + line.size() < kLongest) plain_.append(line).push_back('\n');
    return {};
  }
  events_ = true;
  line.remove_prefix(5);
  if (line.starts_with(' ')) line.remove_prefix(1);
  if (line == "[DONE]") {
    done_ = true;
    return {};
  }
  return done_ ? std::string() : read_object(line);
}

std::string ReplyStream::read_object(std::string_view json) {
  const auto read = parse_json(json);
  if (!read) {
    error_ = "the reply holds something that is no JSON";
    return {};
  }
  const auto part = chat_part(*read);
  if (!part) {
    error_ = part.error().message;
    return {};
  }
  const auto text = part->find("content");
  return text != part->end() && text->is_string() ? text->get<std::string>() : std::string();
}

std::string ReplyStream::finish() {
  std::string text;
  if (!pending_.empty()) text = add("\n");
  if (events_ || plain_.find_first_not_of(" \t\r\n") == std::string::npos) return text;
  done_ = true;
  return text + read_object(plain_);
}

}  // namespace parley::llm
