# SPDX-License-Identifier: MIT
"""A confined process cannot reach files, other processes and the network. The same calls are tried in a program that confines
itself as workers do, in a worker of `apus serve`, in one of `apus convert --isolate`, and in the process in which a C library decodes
for every other verb; the workers load them as a library, which stands for a decoder that a file has taken over."""

import os
import pathlib
import shutil
import socket
import subprocess

import pytest

from programs import APUS, FIXTURES, ROOT, completed

PHOTO = FIXTURES / "still-64x48.heic"
# A picture that libavcodec and libde265 decode, and one that only libavcodec decodes.
FOREIGN = [FIXTURES / "still-predicted.heic", FIXTURES / "still.avci"]

ATTEMPTS = r"""
#include "sandbox.h"
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/xattr.h>

static int failures, output = 1;
static void judge(const char *what, long result, int is_refused) {
  int is_right = is_refused ? result < 0 && (errno == EPERM || errno == EACCES || errno == ENOSYS) : result >= 0;
  if (is_right) return;
  failures++;
  dprintf(output, "%s: %ld, %s\n", what, result, strerror(errno));
}
#define REFUSED(call) judge(#call, (long)(call), 1)
#define ALLOWED(call) judge(#call, (long)(call), 0)
#define CALL(name, ...) judge(#name, syscall(__NR_##name, __VA_ARGS__), 1)
#define SECRET FOLDER "/secret"

static void try_to_write(void) {
  REFUSED(open(FOLDER "/new", O_CREAT | O_RDWR, 0600));
  REFUSED(open(SECRET, O_RDWR));
  REFUSED(open(SECRET, O_WRONLY | O_APPEND));
  REFUSED(open(FOLDER, O_TMPFILE | O_RDWR, 0600));
  REFUSED(unlink(SECRET));
  REFUSED(unlinkat(AT_FDCWD, SECRET, 0));
  REFUSED(rename(SECRET, FOLDER "/other"));
  REFUSED(link(SECRET, FOLDER "/other"));
  REFUSED(mkdir(FOLDER "/new", 0700));
  REFUSED(rmdir(FOLDER "/empty"));
}

static void try_by_name(void) {
  REFUSED(symlink("/etc/passwd", FOLDER "/link"));
  REFUSED(truncate(SECRET, 0));
  REFUSED(chmod(SECRET, 0777));
  REFUSED(chown(SECRET, getuid(), getgid()));
  REFUSED(utimensat(AT_FDCWD, SECRET, 0, 0));
  REFUSED(mknod(FOLDER "/new", S_IFIFO | 0600, 0));
  REFUSED(setxattr(SECRET, "user.x", "x", 1, 0));
  long how[3] = {O_RDWR, 0, 0};
  CALL(openat2, AT_FDCWD, SECRET, how, sizeof how);
  CALL(open_by_handle_at, AT_FDCWD, how, O_RDONLY);
}

static void try_processes(void) {
  char *words[] = {"true", 0};
  REFUSED(execve("/bin/true", words, 0));
  REFUSED(fork());
  REFUSED(kill(getppid(), 0));
  CALL(tgkill, getppid(), getppid(), 0);
  CALL(tkill, getppid(), 0);
  CALL(rt_sigqueueinfo, getppid(), 0, 0);
  CALL(ptrace, 0, 0, 0, 0);
  CALL(process_vm_readv, getppid(), 0, 0, 0, 0, 0);
  CALL(pidfd_open, getppid(), 0);
  CALL(prlimit64, getppid(), RLIMIT_CPU, 0, 0);
  REFUSED(fcntl(1, F_SETOWN, getppid()));
  REFUSED(prctl(PR_SET_DUMPABLE, 1, 0, 0, 0));
  REFUSED(ioctl(0, TIOCSTI, "x"));
}

static void try_the_kernel(void) {
  REFUSED(socket(AF_INET, SOCK_STREAM, 0));
  REFUSED(socket(AF_UNIX, SOCK_DGRAM, 0));
  CALL(bpf, 0, 0, 0);
  CALL(unshare, 0);
  CALL(io_uring_setup, 1, 0);
  CALL(userfaultfd, 0);
  CALL(keyctl, 0, 0);
  CALL(mount, 0, 0, 0, 0, 0);
  CALL(fsopen, "tmpfs", 0);
  CALL(fsmount, 0, 0, 0);
  CALL(move_mount, 0, "", 0, "", 0);
  CALL(open_tree, 0, "", 0);
  CALL(mount_setattr, 0, "", 0, 0, 0);
#ifdef __x86_64__
  REFUSED(syscall(0x40000000 + __NR_getpid));
#endif
}

static void try_to_read(void) {
  char path[64];
  REFUSED(open(SECRET, O_RDONLY));
  REFUSED(open(FOLDER, O_RDONLY | O_DIRECTORY));
  REFUSED(open("/etc/passwd", O_RDONLY));
  for (const char *const *name = (const char *const[]){"mem", "environ", "maps", 0}; *name; name++) {
    snprintf(path, sizeof path, "/proc/%d/%s", getppid(), *name);
    REFUSED(open(path, O_RDONLY));
  }
}

static int is_full_of_zeros(const char *field) {
  char text[4096] = "";
  int status = open("/proc/self/status", O_RDONLY);
  if (status < 0 || read(status, text, sizeof text - 1) < 0) return 0;
  close(status);
  char *line = strstr(text, field);
  return line && !strncmp(line + strlen(field), ":\t0000000000000000", 18);
}

static void try_all(int has_landlock, int writes_files) {
  if (has_landlock || !writes_files) try_to_write();
  if (has_landlock) try_to_read();
  try_by_name();
  try_processes();
  try_the_kernel();
  if (!writes_files) {
    CALL(utimensat, 1, 0, 0, 0);
    judge("no privileges", is_full_of_zeros("CapPrm") && is_full_of_zeros("CapEff") && is_full_of_zeros("CapBnd") ? 0 : -1, 0);
  }
  ALLOWED(open("/proc/self/status", O_RDONLY));
  ALLOWED(apus_limit_time(9) == 0 ? 0 : -1);
}
"""

PROGRAM = ATTEMPTS + r"""
static void *thread(void *argument) {
  REFUSED(socket(AF_INET, SOCK_STREAM, 0));
  return argument;
}

int main(int count, char **words) {
  int has_landlock = apus_landlock_version() > 0 && count > 1 && !strcmp(words[1], "landlock"), ends[2];
  if (pipe(ends) != 0 || apus_drop_privileges(0) != 0) return 2;
  if (has_landlock) {
    int set = apus_files_begin();
    if (set < 0 || apus_files_add(set, "/proc/self", 0) != 0 || apus_files_end(set) != 0) return 3;
  }
  if (apus_refuse_system_calls(0) != 0) return 4;
  try_all(has_landlock, 0);
  ALLOWED(write(ends[1], "x", 1));
  pthread_t started;
  ALLOWED(pthread_create(&started, 0, thread, 0) == 0 ? 0 : -1);
  pthread_join(started, 0);
  fflush(stdout);
  if (failures) return 1;
  abort();
}
"""

# The functions with which a server's worker waits for its next request, a worker that writes files makes them, and a decoding
# process waits for its next picture. Other processes name the libraries that they load.
LIBRARY = ATTEMPTS + r"""
#include <dlfcn.h>

static void attempt(int descriptor, int writes_files) {
  static int is_done;
  if (is_done++) return;
  output = descriptor;
  try_all(HAS_LANDLOCK, writes_files);
  if (getenv("APUS_SECRET")) dprintf(output, "the environment of another process is known\n");
  if (fcntl(INHERITED, F_GETFD) >= 0) dprintf(output, "a descriptor of another process is open\n");
  dprintf(output, "tried\n");
}
ssize_t recvmsg(int socket, struct msghdr *message, int flags) {
  attempt(3, 0);
  return syscall(__NR_recvmsg, socket, message, flags);
}
static int was_started_with(const char *first, const char *other) {
  char words[4096] = "";
  int line = open("/proc/self/cmdline", O_RDONLY);
  long count = syscall(__NR_read, line, words, sizeof words);
  close(line);
  return count > 0 && memmem(words, count, first, strlen(first)) && memmem(words, count, other, strlen(other));
}
static int decodes(void) {
  static int answer = -1;
  return answer >= 0 ? answer : (answer = was_started_with("decode-worker", ""));
}
int fsync(int descriptor) {
  if (was_started_with("convert-worker", "--isolate")) attempt(2, 1);
  return (int)syscall(__NR_fsync, descriptor);
}
ssize_t read(int descriptor, void *bytes, size_t count) {
  if (descriptor == 3 && decodes()) {
    if (getenv("LD_APUS_ABORTS")) abort();
    attempt(2, 0);
  }
  return syscall(__NR_read, descriptor, bytes, count);
}
void *dlopen(const char *name, int flags) {
  void *(*next)(const char *, int) = (void *(*)(const char *, int))dlsym(RTLD_NEXT, "dlopen");
  if (name && !decodes()) dprintf(2, "loaded %s\n", name);
  return next(name, flags);
}
"""


def compiled(folder, text, name, *flags):
    swift = shutil.which("swift")
    clang = pathlib.Path(swift).resolve().parent / "clang" if swift else None
    compiler = str(clang) if clang and clang.exists() else shutil.which("clang") or "cc"
    source = folder / f"{name}.c"
    source.write_text(text)
    completed(compiler, "-D_GNU_SOURCE", "-Wall", "-Werror", "-Wno-unused-function", f"-I{ROOT / 'Sources/CApusSandbox'}",
              f'-DFOLDER="{folder / "outside"}"', *flags, "-o", folder / name, source, "-lpthread")
    return folder / name


def expect_tried(name, text):
    lines = [line for line in text.decode().splitlines() if not line.startswith("apus: 1 converted")]
    assert lines == ["tried"], f"{name}: " + "\n".join(lines or ["nothing was tried"])


def server_worker(library, inherited):
    """A worker as a server starts it, whose request never comes."""
    ours, its = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    reading, writing = os.pipe()
    # 3 and 4 are where it finds its results and its requests.
    command = f'exec 3>&{writing} 4<&{its.fileno()}; exec "$0" serve-worker 300 4096'
    worker = subprocess.Popen(
        ["bash", "-c", command, APUS], env={"LD_PRELOAD": str(library)},
        pass_fds=[writing, its.fileno(), inherited])
    os.close(writing)
    its.close()
    ours.shutdown(socket.SHUT_WR)
    ours.close()
    worker.wait()
    with open(reading, "rb") as results:
        return results.read()


@pytest.fixture(scope="module")
def outside(work):
    """The folder of the programs that are compiled here; in it is one that nobody may touch, which is checked in the end."""
    (work / "outside/empty").mkdir(parents=True)
    secret = work / "outside/secret"
    secret.write_text("secret")
    facts = lambda: [(stat.st_ino, stat.st_mode, stat.st_mtime_ns, stat.st_nlink, stat.st_size) for stat in [secret.stat()]]
    before = facts()
    yield work
    assert sorted(path.name for path in secret.parent.iterdir()) == ["empty", "secret"]
    assert facts() == before and secret.read_text() == "secret"


@pytest.mark.parametrize("means", ["seccomp", "landlock"])
def test_a_confined_program_is_refused_what_it_must_not_do(outside, means):
    done = completed(compiled(outside, PROGRAM, f"confined-{means}"), means, status=None, text=True)
    # It ends itself by abort, whose signal must go through.
    assert done.returncode == -6 and not done.stdout, f"confined by {means}, it ended with {done.returncode}: {done.stdout}"


@pytest.fixture(scope="module")
def inherited():
    """A descriptor that no confined process may inherit."""
    null = os.open("/dev/null", os.O_RDONLY)
    descriptor = os.dup2(null, 77, inheritable=True)
    yield descriptor
    os.close(descriptor)
    os.close(null)


@pytest.fixture(scope="module")
def library(outside, inherited):
    """A library that stands for a decoder that a file has taken over."""
    asked = compiled(outside, '#include "sandbox.h"\nint main(void) { return apus_landlock_version() > 0; }\n', "version")
    has_landlock = completed(asked, status=None).returncode
    if not has_landlock:
        print("this kernel has no Landlock, so files are not tried")
        assert not os.environ.get("CI")
    return compiled(outside, LIBRARY, "library.so", "-shared", "-fPIC", f"-DHAS_LANDLOCK={has_landlock}",
                    f"-DINHERITED={inherited}")


@pytest.fixture
def loaded(library, inherited):
    """Returns the result of a run of apus that loads the library."""
    environment = {**os.environ, "APUS_SECRET": "secret", "LD_PRELOAD": str(library)}

    def run(*words, status=0, **variables):
        return completed(APUS, *words, status=status, env={**environment, **variables}, pass_fds=[inherited])

    return run


def test_a_worker_of_a_server_is_confined(library, inherited):
    expect_tried("serve", server_worker(library, inherited))


def test_a_worker_of_isolate_is_confined(loaded, folder):
    (folder / "in").mkdir()
    shutil.copy(PHOTO, folder / "in/a.heic")
    done = loaded("convert", "--isolate", folder / "in/a.heic", "-o", f"{folder}/out/")
    expect_tried("convert --isolate", done.stderr)
    assert (folder / "out/a.jpg").exists()


VERBS = {
    "convert": ["convert", "-o", "convert.jpg"],
    "thumbnail": ["thumbnail", "-o", "thumbnail.jpg"],
    "export": ["export", "--for", "legacy", "-o", "export/"],
    "info": ["info", "--measure"],
    "report": ["report", "--with-media", "-o", "report.html"],
}


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("photo", FOREIGN, ids=lambda path: path.name)
def test_a_c_library_is_loaded_by_a_confined_process_alone(loaded, folder, monkeypatch, photo, verb):
    monkeypatch.chdir(folder)
    lines = loaded(*VERBS[verb], photo).stderr.decode().splitlines()
    assert lines.count("tried") >= 1
    assert all(line == "tried" or line.startswith("apus: ") for line in lines), lines


@pytest.mark.parametrize("photo", FOREIGN, ids=lambda path: path.name)
def test_a_confined_process_decodes_the_same(loaded, folder, photo):
    isolated, own = folder / "in-one-process.jpg", folder / "convert.jpg"
    completed(APUS, "convert", "--quiet", "--isolate", "-q", "90", photo, "-o", isolated)
    loaded("convert", "-q", "90", photo, "-o", own)
    assert isolated.read_bytes() == own.read_bytes()


def test_our_own_decoder_loads_no_library(loaded, folder):
    done = loaded("convert", PHOTO, "-o", folder / "own.jpg")
    assert b"tried" not in done.stderr and b"loaded" not in done.stderr, done.stderr


@pytest.mark.parametrize("photos", [FOREIGN[:1], [*FOREIGN, PHOTO]], ids=["alone", "among others"])
def test_a_picture_that_ends_its_process_fails_alone(loaded, folder, photos):
    done = loaded("convert", *photos, "-o", f"{folder}/ended/", status=1, LD_APUS_ABORTS="yes")
    assert b"the process that decoded it was ended by SIGABRT" in done.stderr, done.stderr
    assert (folder / "ended/still-64x48.jpg").exists() == (PHOTO in photos)
