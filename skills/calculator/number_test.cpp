#include "number.hpp"

#include <doctest/doctest.h>

#include <cmath>

using parley::calculator::factorial;
using parley::calculator::Integer;
using parley::calculator::modulo;
using parley::calculator::Number;
using parley::calculator::power;
using parley::calculator::root;

namespace {

std::string exact(const Number& number) {
  if (!number.exact()) return "inexact";
  const auto decimals = number.decimals();
  return decimals ? number.digits(*decimals) : "endless";
}

Number of(const char* text) {
  return Number::parse(text).value();
}

}  // namespace

TEST_CASE("number: fractions stay exact where doubles do not") {
  CHECK(exact(of("0.1") + of("0.2")) == "0.3");
  CHECK(exact(of("1/3") * Number(3)) == "1");
  CHECK(exact(of("1/3")) == "endless");
  CHECK(exact(Number(1) / Number(8)) == "0.125");
  CHECK(exact(Number(1) - of("1.5")) == "-0.5");
  CHECK(exact(of("2.5") - of("5")) == "-2.5");
}

TEST_CASE("number: whole powers and roots of squares are exact") {
  CHECK(exact(power(Number(2), Number(100))) == "1267650600228229401496703205376");
  CHECK(exact(power(Number(2), Number(-2))) == "0.25");
  CHECK(exact(power(Number(0), Number(0))) == "1");
  CHECK(exact(root(of("2.25"), 2)) == "1.5");
  CHECK(exact(root(Number(-27), 3)) == "-3");
  CHECK(exact(power(Number(16), of("0.5"))) == "4");
  CHECK(root(Number(2), 2).value() == doctest::Approx(1.41421356));
  CHECK(exact(factorial(Number(30))) == "265252859812191058636308480000000");
}

TEST_CASE("number: what does not fit goes on as a double") {
  const Number huge = power(Number(10), Number(40));
  CHECK_FALSE(huge.exact());
  CHECK(huge.value() == doctest::Approx(1e40));
  CHECK_FALSE((power(Number(2), Number(126)) + power(Number(2), Number(126))).exact());
  CHECK_FALSE(factorial(Number(100)).exact());
  CHECK((of("0.00000000000000000001") * of("0.00000000000000000001")).value() == doctest::Approx(1e-40));
}

TEST_CASE("number: what has no value is not finite") {
  CHECK(std::isnan((Number(1) / Number(0)).value()));
  CHECK(std::isnan(root(Number(-4), 2).value()));
  CHECK(std::isnan(modulo(Number(1), Number(0)).value()));
  CHECK(std::isnan(factorial(of("1.5")).value()));
  CHECK(std::isinf(factorial(Number(171)).value()));
  CHECK(std::isinf(power(Number(10), Number(1000)).value()));
}

TEST_CASE("number: remainders have the sign of the divisor") {
  CHECK(exact(modulo(Number(17), Number(5))) == "2");
  CHECK(exact(modulo(Number(-1), Number(5))) == "4");
  CHECK(exact(modulo(of("5.5"), Number(2))) == "1.5");
}

TEST_CASE("number: what is no number is not parsed") {
  for (const char* text : {"", ".", "1.2.3", "a", "1/0", "-1", "1/", "0x10"}) {
    CHECK_FALSE_MESSAGE(Number::parse(text), text);
  }
}
