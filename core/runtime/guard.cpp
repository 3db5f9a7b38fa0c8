#include "runtime/guard.hpp"

#include <cxxabi.h>
#include <fmt/format.h>

#include <boost/core/demangle.hpp>
#include <exception>
#include <typeinfo>

namespace parley {
namespace {

std::string type_of_current_exception() {
  const std::type_info* type = abi::__cxa_current_exception_type();
  return type == nullptr ? "something foreign" : boost::core::demangle(type->name());
}

}  // namespace

std::string text_of_current_exception() {
  try {
    throw;
  } catch (const std::exception& failure) {
    const char* text = failure.what();
    if (text != nullptr && *text != '\0') return text;
    return fmt::format("{} without a text", type_of_current_exception());
  } catch (...) {
    return fmt::format("{} was thrown, which is not a std::exception", type_of_current_exception());
  }
}

}  // namespace parley
