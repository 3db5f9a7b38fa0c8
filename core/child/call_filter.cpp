#include "child/call_filter.hpp"

#include <fmt/format.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <system_error>
#include <vector>

namespace parley::child {
namespace {

#if defined(__x86_64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
#else
constexpr std::uint32_t kArchitecture = 0;
#endif

constexpr std::uint32_t kX32 = 0x40000000;  ///< Set in the numbers of calls of x86-64's other face.
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
constexpr std::size_t kLow = 0;
#else
constexpr std::size_t kLow = 4;
#endif

/// A filter as the kernel runs it: each check ends at an answer or goes on to the next one.
class Filter {
 public:
  Filter() {
    load(offsetof(seccomp_data, arch));
    jump(BPF_JEQ, kArchitecture, 1, 0);
    answer(refused(EPERM));
    load(offsetof(seccomp_data, nr));
    jump(BPF_JGE, kX32, 0, 1);
    answer(refused(ENOSYS));
  }

  void refuse(long call, int error) {
    jump(BPF_JEQ, static_cast<std::uint32_t>(call), 0, 1);
    answer(refused(error));
  }
  /// Unless its first argument, an int, is that value.
  void refuse_unless(long call, std::uint32_t first, int error) {
    jump(BPF_JEQ, static_cast<std::uint32_t>(call), 0, 5);
    load(offsetof(seccomp_data, args) + kLow);
    jump(BPF_JEQ, first, 0, 1);
    answer(SECCOMP_RET_ALLOW);
    answer(refused(error));
    load(offsetof(seccomp_data, nr));
  }
  /// Unless all those flags are set in its first argument.
  void refuse_without(long call, std::uint32_t flags, int error) {
    jump(BPF_JEQ, static_cast<std::uint32_t>(call), 0, 6);
    load(offsetof(seccomp_data, args) + kLow);
    code_.push_back(BPF_STMT(BPF_ALU | BPF_AND | BPF_K, flags));
    jump(BPF_JEQ, flags, 0, 1);
    answer(SECCOMP_RET_ALLOW);
    answer(refused(error));
    load(offsetof(seccomp_data, nr));
  }

  /// @return why not
  std::string install() {
    answer(SECCOMP_RET_ALLOW);
    sock_fprog program{static_cast<unsigned short>(code_.size()), code_.data()};
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-vararg): as Linux has it
    if (::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) == 0) return {};
    return fmt::format("the kernel takes no seccomp filter ({})", std::generic_category().message(errno));
  }

 private:
  static std::uint32_t refused(int error) {
    return SECCOMP_RET_ERRNO | (static_cast<std::uint32_t>(error) & SECCOMP_RET_DATA);
  }
  void load(std::size_t offset) {
    code_.push_back(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset)));
  }
  void jump(unsigned how, std::uint32_t with, unsigned char yes, unsigned char no) {
    code_.push_back(BPF_JUMP(static_cast<unsigned short>(BPF_JMP | how | BPF_K), with, yes, no));
  }
  void answer(std::uint32_t what) { code_.push_back(BPF_STMT(BPF_RET | BPF_K, what)); }

  std::vector<sock_filter> code_;
};

/// Other processes are not to be looked into or written to: parley itself is one of the same user.
void leave_others_alone(Filter& filter) {
  for (const long call : {SYS_tkill, SYS_rt_sigqueueinfo, SYS_rt_tgsigqueueinfo, SYS_pidfd_send_signal,
                          SYS_pidfd_getfd, SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev})
    filter.refuse(call, EPERM);
}

void start_no_programs(Filter& filter) {
  const auto self = static_cast<std::uint32_t>(::getpid());  // and there will be no others
  filter.refuse_unless(SYS_kill, self, EPERM);
  filter.refuse_unless(SYS_tgkill, self, EPERM);
#ifdef SYS_fork
  filter.refuse(SYS_fork, EPERM);
  filter.refuse(SYS_vfork, EPERM);
#endif
  filter.refuse(SYS_execve, EPERM);
  filter.refuse(SYS_execveat, EPERM);
  // Its arguments lie where a filter can't look: whoever tries it goes on with clone.
  filter.refuse(SYS_clone3, ENOSYS);
  filter.refuse_without(SYS_clone, CLONE_THREAD, EPERM);
}

}  // namespace

std::string filter_calls(bool may_open_sockets, bool may_start_programs) {
  if (kArchitecture == 0) return "there is no filter of calls for this kind of machine";
  Filter filter;
  leave_others_alone(filter);
  filter.refuse(SYS_io_uring_setup, ENOSYS);  // it would open sockets without a call
  if (!may_open_sockets) filter.refuse(SYS_socket, EACCES);
  if (!may_start_programs) start_no_programs(filter);
  return filter.install();
}

}  // namespace parley::child
