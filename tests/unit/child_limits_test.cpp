// What a child is told, and what is said of its end.
#include <doctest/doctest.h>

#include <sys/resource.h>

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <csignal>
#include <nlohmann/json.hpp>

#include "child/plan.hpp"
#include "child/process.hpp"

using namespace parley;

TEST_CASE("limits: they cross to the child as they are, those that are not set too") {
  child::Limits limits;
  CHECK(child::limits_from(child::json_of(limits)) == limits);
  limits.memory = 1 << 20;
  limits.cpu = 0.5;
  limits.open_files = 64;
  limits.network = limits.processes = limits.writes_anywhere = false;
  limits.writes = {"/tmp/a b", "/tmp/c"};
  CHECK(child::limits_from(child::json_of(limits)) == limits);
  child::Plan plan;
  plan.skill_id = "a.test";
  plan.settings = {{"word", "tea"}};
  plan.limits = limits;
  const child::Plan read = child::plan_from(child::json_of(plan));
  CHECK(read.skill_id == "a.test");
  CHECK(read.settings == plan.settings);
  CHECK(read.limits == limits);
}

TEST_CASE("process: it takes what others leave of the processors") {
  boost::asio::io_context loop;
  const child::Process process(loop.get_executor(), "/bin/sleep", "600");
  const int its = ::getpriority(PRIO_PROCESS, static_cast<id_t>(process.id()));
  CHECK(its == std::min(19, ::getpriority(PRIO_PROCESS, 0) + 10));
}

TEST_CASE("process: a death is told of in words") {
  child::Death death;
  death.signal = SIGSEGV;
  CHECK(death.in_words() == "died of SIGSEGV (Segmentation fault)");
  death = child::Death();
  death.code = 3;
  CHECK(death.in_words() == "ended itself with exit code 3");
}
