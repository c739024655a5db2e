// SPDX-License-Identifier: MIT
// What a process settles for itself, for good: what it gives up and what it keeps. Functions in C because prctl
// takes any number of arguments, and Swift's view of the C library leaves malloc.h out.
#pragma once

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define APUS_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define APUS_ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

/// Ends this process when the thread that made it ends.
static inline int apus_end_with_parent(void) {
    return prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) == 0 ? 0 : errno;
}

int pthread_setattr_default_np(const pthread_attr_t *attributes);

/// Gives threads stacks of the usual size where the limit of the user (`ulimit -s`) leaves less than they need. Returns whether it
/// does: the first thread then has too little.
static inline int apus_enlarge_stacks(void) {
    struct rlimit limit;
    pthread_attr_t attributes;
    if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= 1 << 20 || pthread_attr_init(&attributes) != 0) return 0;
    int code = pthread_attr_setstacksize(&attributes, 8 << 20);
    if (code == 0) code = pthread_setattr_default_np(&attributes);
    pthread_attr_destroy(&attributes);
    return code == 0;
}

/// Keeps so many bytes of freed memory at hand, blocks up to that size included, in one place for all threads: with a place of
/// its own each thread would keep as much as it once had.
static inline void apus_keep_freed(int bytes) {
    mallopt(M_ARENA_MAX, 1);
    mallopt(M_MMAP_THRESHOLD, bytes);
    mallopt(M_TRIM_THRESHOLD, bytes);
}

/// Gives freed memory back to the system.
static inline void apus_give_back_freed(void) { malloc_trim(0); }

static inline int apus_limit(int resource, unsigned long long value) {
    struct rlimit limit;
    if (getrlimit(resource, &limit) != 0) return errno;
    if (limit.rlim_max == RLIM_INFINITY || value < limit.rlim_max) limit.rlim_max = value;
    limit.rlim_cur = limit.rlim_max;
    return setrlimit(resource, &limit) == 0 ? 0 : errno;
}

/// Bounds this process for good. Returns an error number, or 0.
static inline int apus_limit_process(unsigned long long address_bytes, unsigned files) {
    int code = apus_limit(RLIMIT_CORE, 0);
    if (code == 0) code = apus_limit(RLIMIT_FSIZE, address_bytes);
    if (code == 0) code = apus_limit(RLIMIT_NOFILE, files);
    if (code == 0) code = apus_limit(RLIMIT_AS, address_bytes);
    return code;
}

/// Ends this process by SIGXCPU once it has used so many more seconds of processor time. Later calls start anew.
static inline int apus_limit_time(unsigned long long seconds) {
    struct rusage usage;
    struct rlimit limit;
    if (getrusage(RUSAGE_SELF, &usage) != 0 || getrlimit(RLIMIT_CPU, &limit) != 0) return errno;
    limit.rlim_cur = (rlim_t)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) + 1 + seconds;
    if (limit.rlim_max != RLIM_INFINITY && limit.rlim_cur > limit.rlim_max) limit.rlim_cur = limit.rlim_max;
    return setrlimit(RLIMIT_CPU, &limit) == 0 ? 0 : errno;
}

/// Keeps other processes of the same user from reading and changing the memory of this one, and writes no core dumps of it.
static inline void apus_hide_memory(void) { prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }

/// Closes what was open when this process started, from a descriptor on.
static inline void apus_close_from(unsigned first) {
    if (syscall(__NR_close_range, first, ~0U, 0) == 0) return;
    for (int descriptor = (int)first, end = (int)sysconf(_SC_OPEN_MAX); descriptor < end; descriptor++) close(descriptor);
}

/// Gives up the privileges of the superuser: all of them, or all but those by which it reads and writes files of other users.
/// Returns an error number, or 0.
static inline int apus_drop_privileges(int keeps_files) {
    for (int number = 0; prctl(PR_CAPBSET_READ, number, 0, 0, 0) >= 0; number++)
        // Refused to those who are not privileged, and have nothing to give up.
        prctl(PR_CAPBSET_DROP, number, 0, 0, 0);
    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct sets[2];
    if (syscall(__NR_capget, &header, sets) != 0) return errno;
    unsigned kept = keeps_files ? 1U << CAP_CHOWN | 1U << CAP_DAC_OVERRIDE | 1U << CAP_DAC_READ_SEARCH | 1U << CAP_FOWNER : 0;
    for (int half = 0; half < 2; half++) {
        sets[half].permitted &= half == 0 ? kept : 0;
        sets[half].effective &= sets[half].permitted;
        sets[half].inheritable = 0;
    }
    return syscall(__NR_capset, &header, sets) == 0 ? 0 : errno;
}

/// Whether the system can filter the calls of a process.
static inline int apus_has_filters(void) {
#ifdef APUS_ARCHITECTURE
    return prctl(PR_GET_SECCOMP, 0, 0, 0, 0) >= 0;
#else
    return 0;
#endif
}

/// The version of Landlock, by which the kernel confines access to files; 0 where it cannot.
static inline int apus_landlock_version(void) {
    long version = syscall(__NR_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    return version > 0 ? (int)version : 0;
}

// Numbers that the headers of older systems, or those without extensions, lack.
#define APUS_PLACE_ONLY 010000000  // O_PATH
#define APUS_NAMELESS 020000000    // O_TMPFILE, without O_DIRECTORY
#define APUS_SET_PIPE_SIZE 1031    // F_SETPIPE_SZ
#define APUS_SET_VMA 0x53564d41    // PR_SET_VMA
#define APUS_READ (LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR)
#define APUS_TRUNCATE (1ULL << 14)
#define APUS_DEVICE_CONTROL (1ULL << 15)
#define APUS_CHANGE \
    (LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR | \
     LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_DIR | 1ULL << 13 /* from folder to folder */ | APUS_TRUNCATE)

static inline unsigned long long apus_known_rights(void) {
    int version = apus_landlock_version();
    return (1ULL << (version >= 5 ? 16 : version >= 3 ? 15 : version == 2 ? 14 : 13)) - 1;
}

/// Begins a set of the files that this process may still open. Returns its descriptor, or -1.
static inline int apus_files_begin(void) {
    unsigned long long handled = apus_known_rights();
    return (int)syscall(__NR_landlock_create_ruleset, &handled, sizeof handled, 0);
}

/// Adds a file, or a folder and all that it holds, to be read, and to be changed as well. What is not there is left out.
/// Returns an error number, or 0.
static inline int apus_files_add(int set, const char *path, int may_change) {
    struct stat status;
    int place = open(path, APUS_PLACE_ONLY | O_CLOEXEC);
    if (place < 0) return errno == ENOENT || errno == ENOTDIR || errno == EACCES ? 0 : errno;
    unsigned long long rights = APUS_READ | (may_change ? APUS_CHANGE : 0);
    if (fstat(place, &status) == 0 && !S_ISDIR(status.st_mode))
        rights &= LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE | APUS_TRUNCATE;
    struct landlock_path_beneath_attr rule = {.allowed_access = rights & apus_known_rights(), .parent_fd = place};
    int code = syscall(__NR_landlock_add_rule, set, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) == 0 ? 0 : errno;
    close(place);
    return code;
}

/// Confines this process, which has one thread, to the files of a set for good. Returns an error number, or 0.
static inline int apus_files_end(int set) {
    int code = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && syscall(__NR_landlock_restrict_self, set, 0) == 0 ? 0 : errno;
    close(set);
    return code;
}

#ifdef APUS_ARCHITECTURE
/// The calls that decoding needs, and those by which the C library asks about the process itself.
static const unsigned apus_calls[] = {
    __NR_futex, __NR_read, __NR_write, __NR_pread64, __NR_pwrite64, __NR_mmap, __NR_munmap, __NR_madvise, __NR_mprotect,
    __NR_mremap, __NR_brk, __NR_clock_gettime, __NR_sched_yield, __NR_close, __NR_lseek, __NR_fstat, __NR_newfstatat,
    __NR_readv, __NR_writev, __NR_preadv, __NR_pwritev, __NR_fsync, __NR_fdatasync, __NR_sync_file_range, __NR_fadvise64,
    __NR_ftruncate, __NR_fallocate, __NR_copy_file_range, __NR_sendfile, __NR_splice, __NR_flock, __NR_dup, __NR_dup3,
    __NR_pipe2, __NR_eventfd2, __NR_ppoll, __NR_pselect6, __NR_recvfrom, __NR_recvmsg, __NR_statx, __NR_statfs, __NR_fstatfs,
    __NR_faccessat, __NR_readlinkat, __NR_getdents64, __NR_getcwd, __NR_mincore, __NR_membarrier, __NR_close_range,
    __NR_set_robust_list, __NR_get_robust_list, __NR_set_tid_address, __NR_rseq, __NR_exit, __NR_exit_group,
    __NR_rt_sigaction, __NR_rt_sigprocmask, __NR_rt_sigreturn, __NR_rt_sigtimedwait, __NR_sigaltstack, __NR_restart_syscall,
    __NR_nanosleep, __NR_clock_nanosleep, __NR_clock_getres, __NR_gettimeofday, __NR_times, __NR_getrusage, __NR_sysinfo,
    __NR_uname, __NR_getrandom, __NR_getcpu, __NR_sched_getaffinity, __NR_get_mempolicy, __NR_set_mempolicy, __NR_gettid,
    __NR_getpid, __NR_getppid, __NR_getuid, __NR_geteuid, __NR_getgid, __NR_getegid,
#ifdef __NR_faccessat2
    __NR_faccessat2,
#endif
#ifdef __x86_64__
    __NR_access, __NR_stat, __NR_lstat, __NR_readlink, __NR_dup2, __NR_pipe, __NR_poll, __NR_select, __NR_time, __NR_getrlimit,
    __NR_arch_prctl,
#endif
};

/// The calls that a file with a name needs in addition: it is opened, written, described and named.
static const unsigned apus_file_calls[] = {
    __NR_openat, __NR_linkat, __NR_unlinkat, __NR_renameat2, __NR_mkdirat, __NR_umask, __NR_fchmod, __NR_fchown,
    __NR_getxattr, __NR_listxattr, __NR_fgetxattr, __NR_flistxattr, __NR_fsetxattr,
#ifdef __NR_renameat
    __NR_renameat,
#endif
#ifdef __x86_64__
    __NR_open, __NR_link, __NR_unlink, __NR_rename, __NR_mkdir, __NR_rmdir,
#endif
};

struct apus_filter {
    struct sock_filter lines[320];
    unsigned short count;
};

static inline void apus_filter_add(struct apus_filter *filter, unsigned short code, unsigned value, int yes, int no) {
    filter->lines[filter->count++] = (struct sock_filter)BPF_JUMP(code, value, (unsigned char)yes, (unsigned char)no);
}

static inline void apus_filter_load(struct apus_filter *filter, size_t offset) {
    apus_filter_add(filter, BPF_LD | BPF_W | BPF_ABS, (unsigned)offset, 0, 0);
}

static inline void apus_filter_allow(struct apus_filter *filter, unsigned call) {
    apus_filter_add(filter, BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1);
    apus_filter_add(filter, BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0, 0);
}

/// Allows a call where the lower half of an argument, of which a mask leaves some bits, is one of several values.
static inline void apus_filter_allow_values(
    struct apus_filter *filter, unsigned call, int argument, unsigned mask, const unsigned *values, int count) {
    apus_filter_add(filter, BPF_JMP | BPF_JEQ | BPF_K, call, 0, 2 * count + 3);
    apus_filter_load(filter, offsetof(struct seccomp_data, args) + 8 * (size_t)argument);
    apus_filter_add(filter, BPF_ALU | BPF_AND | BPF_K, mask, 0, 0);
    for (int index = 0; index < count; index++) apus_filter_allow(filter, values[index]);
    apus_filter_add(filter, BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM, 0, 0);
}

#define APUS_ALLOW_VALUES(filter, call, argument, mask, ...) \
    apus_filter_allow_values( \
        filter, call, argument, mask, (const unsigned[]){__VA_ARGS__}, sizeof((const unsigned[]){__VA_ARGS__}) / sizeof(unsigned))

/// Adds the calls that are allowed with some arguments only.
static inline void apus_filter_allow_some(struct apus_filter *filter, int writes_files) {
    // Threads, and no processes.
    APUS_ALLOW_VALUES(filter, __NR_clone, 0, CLONE_THREAD, CLONE_THREAD);
    // Its signals and limits.
    APUS_ALLOW_VALUES(filter, __NR_tgkill, 0, ~0U, (unsigned)getpid());
    APUS_ALLOW_VALUES(filter, __NR_prlimit64, 0, ~0U, 0);
    APUS_ALLOW_VALUES(filter, __NR_sched_setaffinity, 0, ~0U, 0);
    APUS_ALLOW_VALUES(filter, __NR_prctl, 0, ~0U, PR_SET_NAME, PR_GET_NAME, APUS_SET_VMA);
    // Nothing is typed into the terminal that shows its messages.
    APUS_ALLOW_VALUES(filter, __NR_ioctl, 1, ~0U, TCGETS, TIOCGWINSZ, FIONREAD);
    // No signals to others when something can be read.
    APUS_ALLOW_VALUES(
        filter, __NR_fcntl, 1, ~0U, F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_GETLK, F_SETLK, F_SETLKW,
        APUS_SET_PIPE_SIZE);
    if (writes_files) {
        // Times of what is open, and of nothing that is named: both halves of the pointer are null.
        apus_filter_add(filter, BPF_JMP | BPF_JEQ | BPF_K, __NR_utimensat, 0, 6);
        apus_filter_load(filter, offsetof(struct seccomp_data, args[1]) + 4);
        apus_filter_add(filter, BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 3);
        apus_filter_load(filter, offsetof(struct seccomp_data, args[1]));
        apus_filter_allow(filter, 0);
        apus_filter_add(filter, BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM, 0, 0);
    } else {
        const unsigned writing = O_ACCMODE | O_CREAT | O_TRUNC | O_APPEND | APUS_NAMELESS;
        APUS_ALLOW_VALUES(filter, __NR_openat, 2, writing, O_RDONLY);
#ifdef __x86_64__
        APUS_ALLOW_VALUES(filter, __NR_open, 1, writing, O_RDONLY);
#endif
    }
}
#endif

/// Leaves this process, from now on, only the calls of the system that decoding needs: no network, no other programs and
/// processes, and no changes of files other than those that are open, unless it writes files.
/// Returns an error number, or 0.
static inline int apus_refuse_system_calls(int writes_files) {
#ifndef APUS_ARCHITECTURE
    (void)writes_files;
    return ENOSYS;
#else
    struct apus_filter filter = {.count = 0};
    apus_filter_load(&filter, offsetof(struct seccomp_data, arch));
    apus_filter_add(&filter, BPF_JMP | BPF_JEQ | BPF_K, APUS_ARCHITECTURE, 1, 0);
    apus_filter_add(&filter, BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS, 0, 0);
    apus_filter_load(&filter, offsetof(struct seccomp_data, nr));
    for (size_t index = 0; index < sizeof apus_calls / sizeof *apus_calls; index++)
        apus_filter_allow(&filter, apus_calls[index]);
    for (size_t index = 0; writes_files && index < sizeof apus_file_calls / sizeof *apus_file_calls; index++)
        apus_filter_allow(&filter, apus_file_calls[index]);
    apus_filter_allow_some(&filter, writes_files);
    // The C library does without those that are newer than it; the first of them, clone3, has what it starts behind a pointer.
    apus_filter_add(&filter, BPF_JMP | BPF_JGE | BPF_K, 424, 0, 1);
    apus_filter_add(&filter, BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS, 0, 0);
    apus_filter_add(&filter, BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM, 0, 0);
    struct sock_fprog program = {filter.count, filter.lines};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return errno;
    // All threads, should a library have started some when it was loaded.
    long thread = syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program);
    // A number above 0 is a thread that could not follow.
    return thread < 0 ? errno : thread > 0 ? EAGAIN : 0;
#endif
}
