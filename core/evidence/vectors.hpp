#pragma once

#include <cstddef>
#include <cstdint>
#include <parley/result.hpp>
#include <string>
#include <string_view>
#include <vector>

// Vectors of texts, as an embedding server gives them and as they are kept: of length 1, a byte a number.
namespace parley::evidence {

inline constexpr std::size_t kMostNumbers = 4'096;     ///< Of one vector.
inline constexpr std::size_t kLongestToEmbed = 1'500;  ///< Bytes of a text; of more the beginning is sent.

/// The beginning of a text that is sent.
std::string to_embed(std::string_view text);

/// The vectors in the answer of a server to so many texts, in their order, each as it is kept. Fails with
/// what is wrong with it: what is no vector of any use is not taken.
Result<std::vector<std::string>> vectors_in(std::string_view body, std::size_t count);

/// How many numbers a kept vector has.
std::size_t size_of_vector(std::string_view packed);

/// A kept vector as it is compared: its numbers, and what each has to be multiplied by.
struct Numbers {
  Numbers() = default;
  explicit Numbers(std::string_view packed);
  float scale = 0;
  std::vector<std::int8_t> values;  ///< With zeros behind it, up to a multiple of kLane.
};

/// Numbers that are compared at a time.
inline constexpr std::size_t kLane = 32;
inline constexpr std::size_t padded(std::size_t size) {
  return (size + kLane - 1) / kLane * kLane;
}

/// The sum of the products of two rows of numbers.
/// @param size  a multiple of kLane
std::int32_t product(const std::int8_t* a, const std::int8_t* b, std::size_t size);

}  // namespace parley::evidence
