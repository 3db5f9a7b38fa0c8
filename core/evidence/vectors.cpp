#include "evidence/vectors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <parley/json.hpp>

namespace parley::evidence {
namespace {

constexpr double kMostOfByte = 127;

/// What is wrong with it, or the vector as it is kept: what each number is multiplied by, and a byte for
/// each.
Result<std::string> pack(const Json& list) {
  if (!list.is_array() || list.empty()) return Error("a vector without numbers");
  if (list.size() > kMostNumbers)
    return Error(fmt::format("a vector of {} numbers: {} are the most", list.size(), kMostNumbers));
  std::vector<double> numbers;
  numbers.reserve(list.size());
  double squares = 0, most = 0;
  for (const Json& one : list) {
    if (!one.is_number()) return Error("a vector with something that is no number");
    const double number = one.get<double>();
    numbers.push_back(number);
    squares += number * number;
    most = std::max(most, std::abs(number));
  }
  if (!std::isfinite(squares) || squares <= 0) return Error("a vector without a length");
  const auto scale = static_cast<float>(most / std::sqrt(squares) / kMostOfByte);
  std::string packed(sizeof scale + numbers.size(), '\0');
  std::memcpy(packed.data(), &scale, sizeof scale);
  for (std::size_t i = 0; i < numbers.size(); ++i)
    packed[sizeof scale + i] = static_cast<char>(std::lround(numbers[i] / most * kMostOfByte));
  return packed;
}

}  // namespace

std::string to_embed(std::string_view text) {
  if (text.size() <= kLongestToEmbed) return std::string(text);
  std::size_t end = kLongestToEmbed;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;  // not within a letter
  return std::string(text.substr(0, end));
}

Result<std::vector<std::string>> vectors_in(std::string_view body, std::size_t count) {
  const auto answer = parse_json(body);
  if (!answer) return Error("an answer that is no JSON: " + answer.error().message);
  const auto data = answer->is_object() ? answer->find("data") : answer->end();
  if (!answer->is_object() || data == answer->end() || !data->is_array())
    return Error("an answer without 'data'");
  if (data->size() != count) return Error(fmt::format("{} vectors for {} texts", data->size(), count));
  std::vector<std::string> vectors(count);
  for (std::size_t i = 0; i < count; ++i) {
    const Json& one = (*data)[i];
    if (!one.is_object() || !one.contains("embedding")) return Error("an entry without 'embedding'");
    const auto named = one.find("index");
    const bool is_named = named != one.end() && named->is_number_unsigned();
    const std::size_t at = is_named ? named->get<std::size_t>() : i;
    if (at >= count || !vectors[at].empty()) return Error("entries whose 'index' can't be");
    auto packed = pack(one.at("embedding"));
    if (!packed) return packed.error();
    vectors[at] = *std::move(packed);
  }
  const auto has_other_size = [&](const std::string& one) { return one.size() != vectors.front().size(); };
  if (std::any_of(vectors.begin(), vectors.end(), has_other_size)) return Error("vectors of different sizes");
  return vectors;
}

std::size_t size_of_vector(std::string_view packed) {
  return packed.size() < sizeof(float) ? 0 : packed.size() - sizeof(float);
}

Numbers::Numbers(std::string_view packed) : values(padded(size_of_vector(packed))) {
  if (packed.size() < sizeof scale) return;
  std::memcpy(&scale, packed.data(), sizeof scale);
  std::memcpy(values.data(), packed.data() + sizeof scale, packed.size() - sizeof scale);
}

std::int32_t product(const std::int8_t* a, const std::int8_t* b, std::size_t size) {
  std::int32_t sum = 0;
  for (std::size_t begin = 0; begin < size; begin += kLane) {
    std::int32_t part = 0;
    for (std::size_t i = 0; i < kLane; ++i) {
      const auto one = static_cast<std::int16_t>(a[begin + i]);
      part += static_cast<std::int16_t>(one * b[begin + i]);
    }
    sum += part;
  }
  return sum;
}

}  // namespace parley::evidence
