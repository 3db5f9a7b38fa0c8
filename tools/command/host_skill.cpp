#include <sys/prctl.h>
#include <sys/socket.h>

#include <csignal>

#include "child/guest.hpp"
#include "child/process.hpp"
#include "options.hpp"
#include "terminal.hpp"

namespace parley::command {

int host_skill() {
  int kind = 0;
  socklen_t size = sizeof kind;
  if (::getsockopt(child::Process::kSocket, SOL_SOCKET, SO_TYPE, &kind, &size) != 0 || kind != SOCK_STREAM) {
    complain("host-skill is for parley itself, which starts it for a skill with 'placement: process'");
    return kFailed;
  }
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // NOLINT(cppcoreguidelines-pro-type-vararg): as Linux has it
  // Whoever ends parley reaches all of its group: parley lets turns finish, and then ends this.
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, SIG_IGN);
  child::Guest(child::Process::kSocket).run();
  return kGood;
}

}  // namespace parley::command
