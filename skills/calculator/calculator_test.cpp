#include "calculator.hpp"

#include <doctest/doctest.h>

#include <string>
#include <utility>

#include "speech.hpp"
#include "support/shipped_locale.hpp"
#include "support/temporary_folder.hpp"

using parley::calculator::Calculator;
using parley::calculator::Language;
using parley::calculator::Speech;
using parley::calculator::Units;

namespace {

const std::filesystem::path kFolder(PARLEY_CALCULATOR);

Calculator& calculator() {
  static Calculator known(kFolder / "data", parley::testing::shipped_locale(kFolder));
  return known;
}

std::string say(const char* tag, const char* question) {
  const auto result = calculator().calculate(question, tag);
  return result ? calculator().reply(*result, tag).text : "nothing";
}

double confidence(const char* question) {
  const auto result = calculator().calculate(question, "en-US");
  return result ? result->confidence : 0;
}

using Expected = std::pair<const char*, const char*>;

template <std::size_t N>
void check_all(const char* tag, const Expected (&expected)[N]) {
  for (const auto& [question, answer] : expected) {
    const std::string said = question;
    CHECK_MESSAGE(say(tag, question) == answer, said);
  }
}

}  // namespace

TEST_CASE("sums: precedence, parentheses and signs") {
  const Expected expected[] = {{"what is 2 plus 3 times 4", "That's 14."},
                               {"what is (2 + 3) * 4", "That's 20."},
                               {"what's 2(3+4)", "That's 14."},
                               {"10 minus 4 minus 3", "That's 3."},
                               {"minus 5 plus 2", "That's -3."},
                               {"what is -2^2", "That's -4."},
                               {"2 to the power of 3 to the power of 2", "That's 512."},
                               {"2**10", "That's 1,024."},
                               {"what is 7 divided by 2?", "That's 3.5."},
                               {"17 mod 5", "That's 2."},
                               {"how much is 1,000.5 - 0.5", "That's 1,000."},
                               {"calculate 12 x 12 please", "That's 144."},
                               {"could you please tell me what 5 plus 5 is", "That's 10."},
                               {"3 × 4 ÷ 2 − 1", "That's 5."},
                               {"open parenthesis 1 plus 2 close parenthesis times 3", "That's 9."},
                               {"5 times 7 equals", "That's 35."},
                               {"what is 0.1 + 0.2", "That's 0.3."}};
  check_all("en-US", expected);
}

TEST_CASE("sums: percentages") {
  const Expected expected[] = {{"what is 15 percent of 80", "That's 12."},
                               {"15% of 80", "That's 12."},
                               {"20 plus 10 %", "That's 22."},
                               {"200 minus 15 percent", "That's 170."},
                               {"15 percent of 80 plus 5", "That's 17."},
                               {"10% plus 5% of 200", "That's 10.1."},
                               {"20 percent off 50", "That's 40."},
                               {"10% of 10% of 1000", "That's 10."},
                               {"what percent of 80 is 20", "That's 25 percent."},
                               {"20 is what percent of 80", "That's 25 percent."},
                               {"what percentage is 1 of 3", "That's about 33.3333 percent."}};
  check_all("en-US", expected);
}

TEST_CASE("sums: powers, roots and factorials") {
  const Expected expected[] = {{"what is the square root of 16", "That's 4."},
                               {"square root of 16 plus 9", "That's 13."},
                               {"the square root of 2", "That's about 1.4142."},
                               {"√(16 + 9)", "That's 5."},
                               {"cube root of 27", "That's 3."},
                               {"5 squared", "That's 25."},
                               {"2 cubed plus 1", "That's 9."},
                               {"3² + 4²", "That's 25."},
                               {"what is 2 to the power of 64", "That's 18,446,744,073,709,551,616."},
                               {"5 factorial", "That's 120."},
                               {"the factorial of 20", "That's 2,432,902,008,176,640,000."},
                               {"100 factorial", "That's about 9.3326 times ten to the power of 157."},
                               {"twice 21", "That's 42."},
                               {"pi times 2", "That's about 6.2832."}};
  check_all("en-US", expected);
}

TEST_CASE("sums: spelled-out numbers") {
  const Expected expected[] = {
      {"what is twenty-five plus seventeen", "That's 42."},
      {"what is twenty five plus seventeen", "That's 42."},
      {"two hundred and five times three", "That's 615."},
      {"one thousand two hundred thirty-four plus one", "That's 1,235."},
      {"a thousand and one minus one", "That's 1,000."},
      {"three million divided by a hundred", "That's 30,000."},
      {"2.5 million plus 1", "That's 2,500,001."},
      {"two million three hundred thousand four hundred and fifty six plus zero", "That's 2,300,456."},
      {"three point one four times two", "That's 6.28."},
      {"half of eighty", "That's 40."},
      {"two thirds of ninety", "That's 60."},
      {"two and a half times four", "That's 10."},
      {"three and three quarters plus a quarter", "That's 4."},
      {"two dozen divided by 3", "That's 8."}};
  check_all("en-US", expected);
}

TEST_CASE("sums: named operations and commands") {
  const Expected expected[] = {{"what is the sum of 3 and 4", "That's 7."},
                               {"the sum of 3, 4 and 5", "That's 12."},
                               {"the difference between 10 and 4", "That's 6."},
                               {"the product of six and seven", "That's 42."},
                               {"the quotient of 10 and 4", "That's 2.5."},
                               {"add 5 and 7", "That's 12."},
                               {"add 5 to 7", "That's 12."},
                               {"subtract 5 from 12", "That's 7."},
                               {"multiply 6 by 7", "That's 42."},
                               {"divide 1 by 3", "That's about 0.3333."}};
  check_all("en-US", expected);
}

TEST_CASE("sums: what has no result is told, not made up") {
  const Expected expected[] = {
      {"what is 5 divided by 0", "Nothing can be divided by zero."},
      {"5 divided by zero plus 1", "Nothing can be divided by zero."},
      {"7 mod 0", "Nothing can be divided by zero."},
      {"divide 5 by 0", "Nothing can be divided by zero."},
      {"0 to the power of minus 1", "Nothing can be divided by zero."},
      {"what is the square root of minus 4", "There is no number that this would be."},
      {"10 to the power of 1000", "That number is too large for me."},
      {"how many litres are 10 kilometers",
       "These can't be converted into each other, they measure different things."}};
  check_all("en-US", expected);
}

TEST_CASE("conversions: every way to ask") {
  const Expected expected[] = {
      {"how many miles are 10 kilometres", "10 kilometers is about 6.21 miles."},
      {"how many miles are there in 10 km", "10 kilometers is about 6.21 miles."},
      {"how many feet in a mile", "1 mile is 5,280 feet."},
      {"how many feet are in one mile", "1 mile is 5,280 feet."},
      {"convert 100 fahrenheit to celsius", "100 degrees Fahrenheit is about 37.78 degrees Celsius."},
      {"what is 5 feet 3 inches in centimeters", "5 feet, 3 inches is 160.02 centimeters."},
      {"what is half a mile in meters", "0.5 miles is 804.672 meters."},
      {"10 pounds are how many kilos", "10 pounds is about 4.54 kilograms."},
      {"convert minus 40 celsius to fahrenheit", "-40 degrees Celsius is -40 degrees Fahrenheit."}};
  check_all("en-US", expected);
}

TEST_CASE("conversions: all quantities") {
  const Expected expected[] = {
      {"how many grams are 3 pounds", "3 pounds is about 1,360.78 grams."},
      {"2 cups in milliliters", "2 cups is about 473.18 milliliters."},
      {"100 km/h in miles per hour", "100 kilometers per hour is about 62.14 miles per hour."},
      {"how many acres in a square mile", "1 square mile is 640 acres."},
      {"how many seconds are in two and a half hours", "2.5 hours is 9,000 seconds."},
      {"how many days are there in a year", "1 year is 365 days."},
      {"0 kelvin in celsius", "0 kelvins is -273.15 degrees Celsius."},
      {"1 meter in miles", "1 meter is about 0.000621 miles."},
      {"5 m² in square feet", "5 square meters is about 53.82 square feet."}};
  check_all("en-US", expected);
}

TEST_CASE("conversions: a gallon is what the region calls one") {
  CHECK(say("en-US", "2 gallons in litres") == "2 gallons is about 7.57 liters.");
  CHECK(say("en-GB", "2 gallons in litres") == "2 gallons is about 9.09 litres.");
}

TEST_CASE("German: sums") {
  const Expected expected[] = {
      {"was ist 15 prozent von 80", "Das ist 12."},
      {"wie viel ist zweihundertfünfunddreißig plus sieben", "Das ist 242."},
      {"was ist zwölftausenddreihundertvierzig geteilt durch zehn", "Das ist 1.234."},
      {"1.000,5 mal 2", "Das ist 2.001."},
      {"was ist 3 hoch 4", "Das ist 81."},
      {"was ist die wurzel aus 16", "Das ist 4."},
      {"wie viel ist fünf mal drei minus eins", "Das ist 14."},
      {"was ist ein Drittel von 90?", "Das ist 30."},
      {"zwei Komma fünf plus zwei Komma fünf", "Das ist 5."},
      {"eine Million dreihunderttausend plus eins", "Das ist 1.300.001."},
      {"wie viel ist 10 : 4", "Das ist 2,5."},
      {"teile 10 durch 4", "Das ist 2,5."},
      {"berechne die Summe von 3 und 4", "Das ist 7."},
      {"wie viel Prozent von 80 sind 20", "Das sind 25 Prozent."},
      {"was ist 5 durch 0", "Durch null kann man nicht teilen."},
      {"1 durch 3", "Das ist ungefähr 0,3333."}};
  check_all("de-DE", expected);
}

TEST_CASE("German: conversions") {
  const Expected expected[] = {
      {"wie viele Meilen sind 10 Kilometer", "10 Kilometer sind ungefähr 6,21 Meilen."},
      {"wie viele Zentimeter hat ein Meter", "1 Meter sind 100 Zentimeter."},
      {"wie viel ist 100 grad fahrenheit in celsius",
       "100 Grad Fahrenheit sind ungefähr 37,78 Grad Celsius."},
      {"rechne 5 kilo in gramm um", "5 Kilogramm sind 5.000 Gramm."},
      {"was sind anderthalb stunden in minuten", "1,5 Stunden sind 90 Minuten."},
      {"wie viele Sekunden hat ein Tag", "1 Tag sind 86.400 Sekunden."}};
  check_all("de-DE", expected);
}

TEST_CASE("claims: nothing but sums and conversions is claimed") {
  for (const char* question : {"what is the capital of france",
                               "what is five",
                               "what time is it",
                               "how many people live in japan",
                               "5",
                               "",
                               "how many days until christmas",
                               "set a timer for 5 minutes",
                               "what is 20 pounds in euros",
                               "plus",
                               "what is 2 plus",
                               "what is plus 2",
                               "(2 + 3",
                               "5 6",
                               "what is half a million",
                               "what is 1,2,3 plus 4",
                               "turn the volume to 50 percent",
                               "who is number one",
                               "what is 10 km",
                               "10 km in",
                               "what is 5 apples plus 3",
                               "\xff\xfe + 2"}) {
    CHECK_MESSAGE(say("en-US", question) == "nothing", question);
  }
  CHECK(say("it-IT", "2 + 2") == "nothing");
  CHECK(say("../../etc", "2 + 2") == "nothing");
  CHECK(say("", "2 + 2") == "nothing");
}

TEST_CASE("claims: depth without end is refused") {
  const std::string deep = std::string(100'000, '(') + "1+1" + std::string(100'000, ')');
  CHECK(say("en-US", deep.c_str()) == "nothing");
  const std::string negative = std::string(100'000, '-') + "1+1";
  CHECK(say("en-US", negative.c_str()) == "nothing");
}

TEST_CASE("Appendix B certain answers are definitive, those to a doubtful reading are not") {
  CHECK(confidence("what is 2 plus 2") >= 0.9);
  CHECK(confidence("how many feet in a mile") >= 0.9);
  CHECK(confidence("what is 1 divided by 0") >= 0.9);
  for (const char* doubtful : {"what is 3 and 4", "what is 9/11", "what is 9-11"}) {
    CHECK_MESSAGE(confidence(doubtful) >= 0.5, doubtful);
    CHECK_MESSAGE(confidence(doubtful) < 0.7, doubtful);
  }
}

TEST_CASE("data: every unit has a name in every language, and words to say it") {
  const Units units(kFolder / "data" / "units.yaml");
  for (const char* tag : {"en-US", "de-DE"}) {
    const Speech speech(tag);
    for (const auto& unit : units.all()) {
      CHECK_MESSAGE(speech.amount(2, unit.second).text.size() > 3, unit.first);
    }
  }
  CHECK(units.all().size() > 60);
}

TEST_CASE("data: a mistake in a file is told with its line") {
  const parley::testing::TemporaryFolder folder;
  const auto failure = [&](const char* units, const char* words) -> std::string {
    folder.write("units.yaml", units);
    folder.write("en.yaml", words);
    try {
      Calculator broken(folder.path(), parley::LocaleResources());
      broken.calculate("1 + 1", "en-US");
    } catch (const std::runtime_error& problem) {
      return std::string(problem.what()).substr(folder.path().string().size() + 1);
    }
    return "";
  };
  CHECK(failure("length:\n  foot: x\n", "") ==
        "units.yaml:2: 'x' is no number; expected one such as 0.3048 or 5/9");
  CHECK(failure("length: {foot: 1}\n", "numbers: {}\nwords:\n  pluss: [plus]\n") ==
        "en.yaml:3: 'pluss' is no kind of word; en.yaml has them all");
  CHECK(failure("length: {foot: 1}\n", "numbers: {}\nunits: {feet: [feet]}\n") ==
        "en.yaml:2: units.yaml has no unit 'feet'");
}

TEST_CASE("sums: averages, remainders, primes, and commands that go on") {
  const Expected expected[] = {
      {"the average of 10, 20 and 30", "That's 20."},
      {"what's the remainder of 17 divided by 5", "That's 2."},
      {"the remainder of 17 divided by 0", "Nothing can be divided by zero."},
      {"is 97 a prime number", "Yes, 97 is a prime number."},
      {"is 91 prime", "No, 91 is not a prime number: 7 divides it."},
      {"is 1 a prime number", "No, 1 is not a prime number."},
      {"add 17, 23 and 40", "That's 80."},
      {"multiply 6 by 7 and add 8", "That's 50."},
      {"subtract 19 from 100", "That's 81."},
      {"a 15% tip on 62 dollars", "That's 9.3."},
      {"split 84 dollars between 6 people", "That's 14."},
      {"what's 20 percent off 45 dollars", "That's 36."},
      {"is there a prime number", "nothing"},
      {"is 1.5 prime", "nothing"},
      {"the average of 10", "nothing"},
  };
  check_all("en-US", expected);
}

TEST_CASE("sums: tips, shares and primes in every language") {
  const char* const questions[][5] = {
      {"15 Prozent Trinkgeld auf 62 Euro", "un pourboire de 15 pour cent de 62 euros",
       "una propina del 15 por ciento de 62 euros", "uma gorjeta de 15 por cento em 62 euros", "9,3"},
      {"teile 84 Euro durch 6 Leute", "partage 84 euros entre 6 personnes",
       "reparte 84 euros entre 6 personas", "divide 84 euros por 6 pessoas", "14"},
      {"ist 97 eine Primzahl", "est-ce que 97 est premier", "es primo el 97", "o 97 é primo", "97"},
      {"der Durchschnitt von 10, 20 und 30", "la moyenne de 10, 20 et 30", "la media de 10, 20 y 30",
       "a média de 10, 20 e 30", "20"},
  };
  const char* const tags[] = {"de-DE", "fr-FR", "es-ES", "pt-PT"};
  for (const auto& row : questions) {
    for (int i = 0; i < 4; ++i) {
      const std::string said = row[i];
      CHECK_MESSAGE(say(tags[i], row[i]).find(row[4]) != std::string::npos, said);
    }
  }
}

TEST_CASE("sums: a question may go on with the result before") {
  const auto goes_on = [](const char* question, const char* tag) {
    const auto result = calculator().calculate(question, tag, parley::calculator::Number(391));
    return result ? calculator().reply(*result, tag).text : "nothing";
  };
  CHECK(goes_on("divide that by seventeen", "en-US") == "That's 23.");
  CHECK(goes_on("and plus ten", "en-US") == "That's 401.");
  CHECK(goes_on("times two", "en-US") == "That's 782.");
  CHECK(goes_on("minus 5 plus 12", "en-US") == "That's 7.");
  CHECK(goes_on("minus 5", "en-US") == "That's 386.");
  CHECK(goes_on("what's 3 plus 4", "en-US") == "That's 7.");
  CHECK(goes_on("plus 9", "de-DE") == "Das ist 400.");
  CHECK(goes_on("divise ça par 17", "fr-FR").find("23") != std::string::npos);
  CHECK(goes_on("divide eso entre 17", "es-ES").find("23") != std::string::npos);
  CHECK(goes_on("divide isso por 17", "pt-PT").find("23") != std::string::npos);
  CHECK(say("en-US", "divide that by seventeen") == "nothing");
  CHECK(say("en-US", "plus ten") == "nothing");
}

TEST_CASE("sums: what goes on with the question before may say more") {
  const auto then = [](const char* first, const char* next, const char* tag) {
    const auto before = calculator().calculate(first, tag);
    REQUIRE(before);
    const auto result = calculator().calculate(next, tag, parley::calculator::Before(*before));
    return result ? calculator().reply(*result, tag).text : "nothing";
  };
  const char* const shared = "split 86 euros 40 between four of us";
  CHECK(then(shared, "and if jonas isn't paying so just three", "en-US") == "That's 28.8.");
  CHECK(then(shared, "and three eggs", "en-US") == "nothing");
  CHECK(then("what's 19 percent of 1240", "and add that to the 1240", "en-US") == "That's 1,475.6.");
  CHECK(then("what's 4.2 times 2.5", "and double that for the two coats", "en-US") == "That's 21.");
  CHECK(then("what's 4.2 times 2.5", "cut that in two pieces", "en-US") == "nothing");
  CHECK(then("what's 10 divided by 3", "round that to two decimals", "en-US") == "That's 3.33.");
  CHECK(then("neunzehn prozent von 1250", "und das auf die 1250 draufgeschlagen", "de-DE") ==
        "Das ist 1.487,5.");
  CHECK(then("37 euro 80 durch vier leute", "und wenn nur drei zahlen", "de-DE") == "Das ist 12,6.");
  CHECK(then("90 euros en tout, on est six, combien chacun", "et en cinq parce que paul est malade",
             "fr-FR") == "Ça fait 18.");
  CHECK(then("90 euros entre seis, cuánto toca", "y entre cinco, que iker no cena", "es-ES") ==
        "El resultado es 18.");
  CHECK(then("quanto é doze vezes treze", "e o dobro", "pt-PT") == "O resultado é 312.");
}

TEST_CASE("a slip within a sentence, prices with a tax, and what several things cost") {
  const Expected expected[] = {{"fourteen times thirteen, sorry, fourteen times thirty", "That's 420."},
                               {"ten percent tip on 62 euros, no, make that twelve percent", "That's 7.44."},
                               {"the laptop is 1249, how much is it with 19 percent vat", "That's 1,486.31."},
                               {"six cupcakes at 2.50 each how much is that", "That's 15."},
                               {"how much tip do i pay on 60 dollars at 15 percent", "That's 9."}};
  check_all("en-US", expected);
}

TEST_CASE("a sum that is begun again, a percent said behind, and words of regions") {
  const Expected english[] = {
      {"48 divided by, wait, 480 divided by 12", "That's 40."},
      {"the jacket was 160 and it's 35 off, percent i mean, what do i pay", "That's 104."},
      {"i got 14 17 11 and 18 minutes, what's my average", "That's 15."}};
  check_all("en-US", english);
  const Expected french[] = {{"septante-cinq plus nonante", "Ça fait 165."},
                             {"huitante moins dix", "Ça fait 70."}};
  check_all("fr-FR", french);
}
