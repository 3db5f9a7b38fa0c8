#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace parley::net {

/// The bytes of one message as every client gets them: what a server sends is not masked (RFC 6455,
/// section 5.3), so header and text are made once and shared.
using FramePtr = std::shared_ptr<const std::string>;

/// The cost of a frame, borne by the client that caused it until the receiver has taken the frame.
using ChargePtr = std::shared_ptr<const void>;

/// A whole text frame with this payload.
std::string text_frame(std::string_view payload);

}  // namespace parley::net
