#include <fmt/format.h>

#include <clocale>
#include <csignal>
#include <exception>

#include "command_line.hpp"
#include "runtime/crash_report.hpp"
#include "settings/problem.hpp"
#include "terminal.hpp"

int main(int argc, char** argv) {
  namespace command = parley::command;
  // The language of the terminal, for line editing; numbers stay as they are everywhere.
  std::setlocale(LC_CTYPE, "");  // NOLINT(concurrency-mt-unsafe): no other thread exists yet
  std::signal(SIGPIPE, SIG_IGN);
  parley::report_crashes();
  try {
    return command::exit_code_after_printing(command::run_command_line(argc, argv));
  } catch (const parley::ConfigError& error) {
    for (const auto& problem : error.problems()) command::complain(to_string(problem));
    command::complain(
        "the configuration has problems, so nothing was started; `parley check` lists everything");
  } catch (const std::exception& error) {
    command::complain(error.what());
  } catch (...) {
    command::complain("something was thrown that is no std::exception");
  }
  return command::kFailed;
}
