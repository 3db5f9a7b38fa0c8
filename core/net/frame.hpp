#pragma once

#include <memory>
#include <parley/message.hpp>
#include <string>

namespace parley::net {

/// The bytes of one message as every client gets them: what a server sends is not masked (RFC 6455,
/// section 5.3), so header and text are made once and shared.
using FramePtr = std::shared_ptr<const std::string>;

/// A whole text frame with this payload.
FramePtr text_frame(std::string_view payload);

}  // namespace parley::net
