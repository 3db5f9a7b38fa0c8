#include "benchmarks.hpp"

#include <array>

#include "common_query.hpp"
#include "converse.hpp"
#include "fallback.hpp"
#include "free.hpp"
#include "gateway.hpp"
#include "hostile.hpp"
#include "intents.hpp"
#include "lifecycle.hpp"
#include "older_skills.hpp"
#include "soak.hpp"
#include "store.hpp"

namespace parley::bench {
namespace {

constexpr std::array kBenchmarks{
    Benchmark{"lifecycle", "turns from utterance to handled, in process; start-up; resident memory",
              &lifecycle},
    Benchmark{"converse", "a turn with skills that were active lately; handlers that wait for the user",
              &converse_bench},
    Benchmark{"fallback",
              "turns through a pool of 1, 10 and 100 fallback skills, the last one willing; one of ten "
              "silent for 50 ms",
              &fallback},
    Benchmark{
        "common-query",
        "questions from the utterance to the spoken answer, put to 2, 10 and 50 answering skills; one of "
        "ten takes 300 ms",
        &common_query},
    Benchmark{"intents",
              "how well sets of utterances are understood (--data), and how fast with 10,000 templates",
              &intents},
    Benchmark{
        "free",
        "what people may say to the skills, word by word as it comes: right, declined, wrong by skill and "
        "language",
        &free_bench},
    Benchmark{"gateway", "deliveries to WebSocket clients; turns over /core and /run; memory of a connection",
              &gateway},
    Benchmark{"older-skills", "turns with 50 skills of OVOS connected that only have intents, and with none",
              &older_skills},
    Benchmark{"hostile",
              "another client's turn while one floods; how long single hostile messages hold the loop",
              &hostile},
    Benchmark{"store", "what keeping turns costs them; a large file opened, and a transcript out of it",
              &store_bench},
    Benchmark{"soak",
              "mixed traffic, remote skills coming and going: no lost turn, memory and descriptors flat "
              "(--seconds 1800)",
              &soak},
};

}  // namespace

std::span<const Benchmark> benchmarks() {
  return kBenchmarks;
}

}  // namespace parley::bench
