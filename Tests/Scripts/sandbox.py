#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A confined process cannot reach files, other processes and the network. The same calls are tried in a program that confines
itself as workers do, in a worker of `apus serve`, in one of `apus convert --isolate`, and in the process in which a C library decodes
for every other verb; the workers load them as a library, which stands for a decoder that a file has taken over."""

import os
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
APUS = os.environ.get("APUS", ROOT / ".build/release/apus")
PHOTO = ROOT / "Fixtures/still-64x48.heic"
# A picture that libavcodec and libde265 decode, and one that only libavcodec decodes.
FOREIGN = [ROOT / "Fixtures/still-predicted.heic", ROOT / "Fixtures/still.avci"]

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
    subprocess.run(
        [compiler, "-D_GNU_SOURCE", "-Wall", "-Werror", "-Wno-unused-function", f"-I{ROOT / 'Sources/CApusSandbox'}",
         f'-DFOLDER="{folder / "outside"}"', *flags, "-o", folder / name, source, "-lpthread"],
        check=True,
    )
    return folder / name


def expect_tried(name, text):
    lines = [line for line in text.decode().splitlines() if not line.startswith("apus: 1 converted")]
    if lines != ["tried"]:
        sys.exit(f"{name}: " + "\n".join(lines or ["nothing was tried"]))


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


def decode_apart(folder, library, inherited):
    """Whatever the verb, a C library is loaded by a confined process alone, and what our own decoder decodes needs none."""
    environment = {**os.environ, "LD_PRELOAD": str(library)}

    def run(*words, **variables):
        return subprocess.run(
            [APUS, *words], env={**environment, **variables}, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            pass_fds=[inherited])

    verbs = {
        "convert": ["convert", "-o", folder / "convert.jpg"],
        "thumbnail": ["thumbnail", "-o", folder / "thumbnail.jpg"],
        "export": ["export", "--for", "legacy", "-o", f"{folder}/export/"],
        "info": ["info", "--measure"],
        "report": ["report", "--with-media", "-o", folder / "report.html"],
    }
    for photo in FOREIGN:
        for verb, words in verbs.items():
            done = run(*words, photo, "--on-exists", "replace") if verb != "info" else run(*words, photo)
            lines = done.stderr.decode().splitlines()
            said = f"{verb} {photo.name}: {done.stderr.decode()}"
            assert done.returncode == 0 and lines.count("tried") >= 1, said
            assert all(line == "tried" or line.startswith("apus: ") for line in lines), said
        isolated = folder / "in-one-process.jpg"
        subprocess.run([APUS, "convert", "--quiet", "--isolate", "-q", "90", photo, "-o", isolated, "--on-exists", "replace"], check=True)
        run("convert", "-q", "90", photo, "-o", folder / "convert.jpg", "--on-exists", "replace")
        assert isolated.read_bytes() == (folder / "convert.jpg").read_bytes(), photo.name
    done = run("convert", PHOTO, "-o", folder / "own.jpg")
    assert done.returncode == 0 and b"tried" not in done.stderr and b"loaded" not in done.stderr, done.stderr

    # A picture that ends its process has failed, and the others are converted.
    for photos in (FOREIGN[:1], [*FOREIGN, PHOTO]):
        done = run("convert", *photos, "-o", f"{folder}/ended/", "--on-exists", "replace", LD_APUS_ABORTS="yes")
        assert done.returncode == 1 and b"the process that decoded it was ended by SIGABRT" in done.stderr, done.stderr
        assert (folder / "ended/still-64x48.jpg").exists() == (PHOTO in photos)


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "outside/empty").mkdir(parents=True)
        secret = folder / "outside/secret"
        secret.write_text("secret")
        before = secret.stat()
        program = compiled(folder, PROGRAM, "confined")
        for means in ("seccomp", "landlock"):
            done = subprocess.run([program, means], stdout=subprocess.PIPE, text=True)
            print(done.stdout, end="")
            # It ends itself by abort, whose signal must go through.
            if done.returncode != -6:
                sys.exit(f"confined by {means}, it ended with {done.returncode}")

        asked = compiled(
            folder, '#include "sandbox.h"\nint main(void) { return apus_landlock_version() > 0; }\n', "version")
        has_landlock = subprocess.run([asked]).returncode
        if not has_landlock:
            print("this kernel has no Landlock, so files are not tried")
            if os.environ.get("CI"):
                sys.exit(1)
        inherited = os.dup2(os.open("/dev/null", os.O_RDONLY), 77, inheritable=True)
        library = compiled(
            folder, LIBRARY, "library.so", "-shared", "-fPIC", f"-DHAS_LANDLOCK={has_landlock}", f"-DINHERITED={inherited}")
        os.environ["APUS_SECRET"] = "secret"
        expect_tried("serve", server_worker(library, inherited))
        (folder / "in").mkdir()
        shutil.copy(PHOTO, folder / "in/a.heic")
        done = subprocess.run(
            [APUS, "convert", "--isolate", folder / "in/a.heic", "-o", f"{folder}/out/"],
            env={**os.environ, "LD_PRELOAD": str(library)}, stderr=subprocess.PIPE, pass_fds=[inherited])
        expect_tried("convert --isolate", done.stderr)
        assert done.returncode == 0 and (folder / "out/a.jpg").exists()
        decode_apart(folder, library, inherited)
        after = secret.stat()
        assert sorted(path.name for path in secret.parent.iterdir()) == ["empty", "secret"]
        same = [(stat.st_ino, stat.st_mode, stat.st_mtime_ns, stat.st_nlink, stat.st_size) for stat in (before, after)]
        assert same[0] == same[1] and secret.read_text() == "secret", same
    print("a confined process is refused what it should be")


main()
