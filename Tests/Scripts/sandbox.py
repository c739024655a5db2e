#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What a process can no longer do once it is confined as the workers of `apus convert --isolate` are."""

import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]

PROGRAM = r"""
#include "sandbox.h"
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <sys/socket.h>
#include <sys/wait.h>

static int failures;
static void refused(const char *what, long result, int code) {
  if (result >= 0 || errno != code) failures++, printf("%s: %ld, %d\n", what, result, errno);
}
static void allowed(const char *what, long result) {
  if (result < 0) failures++, printf("%s: %d\n", what, errno);
}
static void *thread(void *argument) {
  refused("socket in a thread", socket(AF_INET, SOCK_STREAM, 0), EPERM);
  return argument;
}
#define CALL(name, ...) refused(#name, syscall(__NR_##name, __VA_ARGS__), EPERM)

int main(void) {
  int ends[2];
  char *words[] = {"true", 0};
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return 2;
  int code = apus_refuse_system_calls();
  if (code != 0) return printf("confining fails: %d\n", code), 2;
  refused("inet", socket(AF_INET, SOCK_STREAM, 0), EPERM);
  refused("unix", socket(AF_UNIX, SOCK_DGRAM, 0), EPERM);
  refused("send", send(ends[0], "x", 1, 0), EPERM);
  refused("execve", execve("/bin/true", words, 0), EPERM);
  refused("fork", fork(), EPERM);
  refused("kill the parent", kill(getppid(), 0), EPERM);
  CALL(tgkill, getppid(), getppid(), 0);
  CALL(tkill, getppid(), 0);
  CALL(rt_sigqueueinfo, getppid(), 0, 0);
  CALL(ptrace, 0, 0, 0, 0);
  CALL(process_vm_readv, getppid(), 0, 0, 0, 0, 0);
  CALL(bpf, 0, 0, 0);
  CALL(unshare, 0);
  CALL(io_uring_setup, 1, 0);
#ifdef __NR_pidfd_open
  CALL(pidfd_open, getppid(), 0);
#endif
  CALL(prlimit64, getppid(), RLIMIT_CPU, 0, 0);
  CALL(ioctl, 0, TIOCSTI, "x");
  allowed("write", write(ends[0], "x", 1));
  allowed("open", open("/proc/self/status", O_RDONLY));
  allowed("limit", apus_limit_time(9) == 0 ? 0 : -1);
  pthread_t started;
  allowed("thread", pthread_create(&started, 0, thread, 0) == 0 ? 0 : -1);
  pthread_join(started, 0);
  fflush(stdout);
  if (failures) return 1;
  abort();
}
"""


def main():
    swift = shutil.which("swift")
    beside = pathlib.Path(swift).resolve().parent / "clang" if swift else None
    compiler = str(beside) if beside and beside.exists() else shutil.which("clang") or "cc"
    with tempfile.TemporaryDirectory() as name:
        source = pathlib.Path(name) / "confined.c"
        source.write_text(PROGRAM)
        program = source.with_suffix("")
        include = f"-I{ROOT / 'Sources/CSandbox'}"
        subprocess.run(
            [compiler, "-D_GNU_SOURCE", "-Wall", "-Werror", include, "-o", program, source, "-lpthread"],
            check=True,
        )
        done = subprocess.run([program], stdout=subprocess.PIPE, text=True)
    print(done.stdout, end="")
    # It ends itself by abort, whose signal must go through.
    if done.returncode != -6:
        sys.exit(f"ended with {done.returncode}")
    print("a confined process is refused what it should be")


main()
