#include "net/frame.hpp"

#include <cstdint>

namespace parley::net {
namespace {

constexpr char kFinalText = static_cast<char>(0x81);
constexpr std::size_t kShort = 125;
constexpr std::size_t kMedium = 0xffff;

void append_big_endian(std::string& to, std::uint64_t value, int bytes) {
  for (int shift = (bytes - 1) * 8; shift >= 0; shift -= 8)
    to.push_back(static_cast<char>((value >> static_cast<unsigned>(shift)) & 0xffU));
}

}  // namespace

std::string text_frame(std::string_view payload) {
  std::string frame;
  frame.reserve(payload.size() + 10);
  frame.push_back(kFinalText);
  if (payload.size() <= kShort) {
    frame.push_back(static_cast<char>(payload.size()));
  } else if (payload.size() <= kMedium) {
    frame.push_back(126);
    append_big_endian(frame, payload.size(), 2);
  } else {
    frame.push_back(127);
    append_big_endian(frame, payload.size(), 8);
  }
  frame.append(payload);
  return frame;
}

}  // namespace parley::net
