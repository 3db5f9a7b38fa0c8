#include "benchmarks.hpp"

#include <array>

#include "cluster.hpp"
#include "common_query.hpp"
#include "converse.hpp"
#include "evidence.hpp"
#include "fallback.hpp"
#include "free.hpp"
#include "gateway.hpp"
#include "guide.hpp"
#include "hostile.hpp"
#include "intents.hpp"
#include "isolation.hpp"
#include "lifecycle.hpp"
#include "older_skills.hpp"
#include "reload.hpp"
#include "soak.hpp"
#include "store.hpp"
#include "unruly.hpp"
#include "watched.hpp"

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
    Benchmark{"guide", "10,000 tasks of the guide loaded and searched", &guide_bench},
    Benchmark{"older-skills", "turns with 50 skills of OVOS connected that only have intents, and with none",
              &older_skills},
    Benchmark{"hostile",
              "another client's turn while one floods; how long single hostile messages hold the loop (ten "
              "minutes)",
              &hostile},
    Benchmark{"watched", "2,000 turns a second, and the same while somebody watches them in the console",
              &watched},
    Benchmark{"reload", "a skill loaded anew 1,000 times while turns go on, its own among them",
              &reload_bench},
    Benchmark{"isolation", "a turn of a skill in a child process, beside the same turn in this one",
              &isolation},
    Benchmark{
        "unruly",
        "turns beside 10,000 of a skill in a child that crashes, hangs, eats memory and forks at random",
        &unruly_bench},
    Benchmark{
        "cluster",
        "1, 2 and 3 instances on NATS: turns, what forwarding costs, one that is killed, one that leaves",
        &cluster_bench},
    Benchmark{"store", "what keeping turns costs them; a large file opened, and a transcript out of it",
              &store_bench},
    Benchmark{"evidence",
              "questions to the evidence of 100 owners (--objects), writing it; what is found of "
              "conversations (--data)",
              &evidence_bench},
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
