// SPDX-License-Identifier: MIT
// Loaded before the C library: counts the calls by which a program changes files below LD_FAULT_ROOT, and lets one fail.
//
// LD_FAULT_STATE names a file of 16 bytes that all processes of a run share: the number of calls so far, and the process
// that began. LD_FAULT_AT is the call that fails, counted from 1; LD_FAULT_ERROR its errno, 0 for SIGKILL; with LD_FAULT_STICKY
// every later call that needs space fails, too, as on a full disk.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

struct state {
  _Atomic uint64_t calls;
  _Atomic uint64_t first;
};

static struct state *state;
static const char *root;
static size_t root_length;
static uint64_t at;
static int error;
static int sticky;

__attribute__((constructor)) static void start(void) {
  const char *path = getenv("LD_FAULT_STATE");
  root = getenv("LD_FAULT_ROOT");
  if (!path || !root) return;
  root_length = strlen(root);
  int (*real_open)(const char *, int, ...) = dlsym(RTLD_NEXT, "open");
  int file = real_open(path, O_RDWR | O_CLOEXEC);
  if (file < 0) return;
  void *memory = mmap(NULL, sizeof *state, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (memory == MAP_FAILED) return;
  state = memory;
  uint64_t none = 0;
  __atomic_compare_exchange_n((uint64_t *)&state->first, &none, (uint64_t)getpid(), 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  at = strtoull(getenv("LD_FAULT_AT") ?: "0", NULL, 10);
  error = atoi(getenv("LD_FAULT_ERROR") ?: "0");
  sticky = getenv("LD_FAULT_STICKY") != NULL;
}

// Whether this call fails; one that does not take space succeeds again on a full disk.
static int fails(int takes_space) {
  uint64_t call = ++state->calls;
  if (at == 0 || call < at) return 0;
  if (call > at && !(sticky && takes_space)) return 0;
  if (error == 0) {
    kill((pid_t)state->first, SIGKILL);
    kill(getpid(), SIGKILL);
  }
  errno = error;
  return 1;
}

static int is_below(const char *path) { return strncmp(path, root, root_length) == 0; }

static int counts_file(int file) {
  if (!state) return 0;
  struct stat status;
  if (fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) return 0;
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length <= 0) return 0;
  path[length] = 0;
  return is_below(path);
}

static int counts_path(const char *path) {
  if (!state) return 0;
  if (path[0] == '/') return is_below(path);
  char folder[4096];
  return getcwd(folder, sizeof folder) && is_below(folder);
}

#define REAL(name) static __typeof__(name) *real; if (!real) real = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)

#define ON_FILE(type, name, space, file, parameters, arguments) \
  type name parameters { REAL(name); if (counts_file(file) && fails(space)) return -1; return real arguments; }

#define ON_PATH(name, space, path, parameters, arguments) \
  int name parameters { REAL(name); if (counts_path(path) && fails(space)) return -1; return real arguments; }

ON_FILE(ssize_t, write, 1, f, (int f, const void *b, size_t n), (f, b, n))
ON_FILE(ssize_t, writev, 1, f, (int f, const struct iovec *v, int n), (f, v, n))
ON_FILE(ssize_t, pwrite, 1, f, (int f, const void *b, size_t n, off_t o), (f, b, n, o))
ON_FILE(ssize_t, pwrite64, 1, f, (int f, const void *b, size_t n, off64_t o), (f, b, n, o))
ON_FILE(ssize_t, sendfile, 1, t, (int t, int f, off_t *o, size_t n), (t, f, o, n))
ON_FILE(ssize_t, sendfile64, 1, t, (int t, int f, off64_t *o, size_t n), (t, f, o, n))
ON_FILE(ssize_t, splice, 1, t, (int f, off64_t *a, int t, off64_t *o, size_t n, unsigned g), (f, a, t, o, n, g))
ON_FILE(ssize_t, copy_file_range, 1, t, (int f, off64_t *a, int t, off64_t *o, size_t n, unsigned g), (f, a, t, o, n, g))
ON_FILE(int, fsync, 1, f, (int f), (f))
ON_FILE(int, fdatasync, 1, f, (int f), (f))
ON_FILE(int, ftruncate, 0, f, (int f, off_t n), (f, n))
ON_FILE(int, ftruncate64, 0, f, (int f, off64_t n), (f, n))
ON_FILE(int, fallocate, 1, f, (int f, int m, off_t o, off_t n), (f, m, o, n))
ON_PATH(link, 1, t, (const char *f, const char *t), (f, t))
ON_PATH(rename, 0, t, (const char *f, const char *t), (f, t))
ON_PATH(unlink, 0, p, (const char *p), (p))
ON_PATH(rmdir, 0, p, (const char *p), (p))
ON_PATH(mkdir, 1, p, (const char *p, mode_t m), (p, m))
ON_PATH(linkat, 1, t, (int d, const char *f, int e, const char *t, int g), (d, f, e, t, g))
ON_PATH(renameat2, 0, t, (int d, const char *f, int e, const char *t, unsigned g), (d, f, e, t, g))

#define OPENING(name) \
  int name(const char *path, int flags, ...) { \
    REAL(name); \
    mode_t mode = 0; \
    if (flags & (O_CREAT | O_TMPFILE)) { \
      va_list list; \
      va_start(list, flags); \
      mode = va_arg(list, mode_t); \
      va_end(list); \
    } \
    int makes = flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE || flags & O_TRUNC; \
    if (makes && counts_path(path) && fails(1)) return -1; \
    return real(path, flags, mode); \
  }
OPENING(open)
OPENING(open64)
