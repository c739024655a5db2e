// SPDX-License-Identifier: MIT
// What a process settles for itself, for good: what it gives up and what it keeps. Functions in C because prctl
// takes any number of arguments, and Swift's view of the C library leaves malloc.h out.
#pragma once

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <malloc.h>
#include <signal.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
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

/// Refuses this process, from now on, the network, other programs, other processes and the kernel's doors to
/// them. Files and threads stay. Returns an error number, or 0.
static inline int apus_refuse_system_calls(void) {
#ifndef APUS_ARCHITECTURE
    return ENOSYS;
#else
#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define REFUSE_WITH(code) BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (code))
#define ALLOW BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
#define REFUSE(call) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##call, 0, 1), REFUSE_WITH(EPERM)
    struct sock_filter filter[] = {
        LOAD(arch),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, APUS_ARCHITECTURE, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
        LOAD(nr),
#ifdef __x86_64__
        // The same calls under the numbers of another interface.
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1),
        REFUSE_WITH(EPERM),
        REFUSE(fork),
        REFUSE(vfork),
#endif
        REFUSE(socket),
        REFUSE(socketpair),
        REFUSE(connect),
        REFUSE(bind),
        REFUSE(listen),
        REFUSE(accept),
        REFUSE(accept4),
        REFUSE(sendto),
        REFUSE(sendmsg),
        REFUSE(sendmmsg),
        REFUSE(execve),
        REFUSE(execveat),
        REFUSE(ptrace),
        REFUSE(process_vm_readv),
        REFUSE(process_vm_writev),
        REFUSE(kill),
        REFUSE(tkill),
        REFUSE(rt_sigqueueinfo),
        REFUSE(rt_tgsigqueueinfo),
#ifdef __NR_pidfd_open
        REFUSE(pidfd_open),
        REFUSE(pidfd_send_signal),
#endif
#ifdef __NR_pidfd_getfd
        REFUSE(pidfd_getfd),
#endif
#ifdef __NR_process_madvise
        REFUSE(process_madvise),
#endif
        REFUSE(io_uring_setup),
        REFUSE(bpf),
        REFUSE(perf_event_open),
        REFUSE(userfaultfd),
        REFUSE(keyctl),
        REFUSE(add_key),
        REFUSE(request_key),
        REFUSE(name_to_handle_at),
        REFUSE(open_by_handle_at),
        REFUSE(init_module),
        REFUSE(finit_module),
        REFUSE(kexec_load),
        REFUSE(reboot),
        REFUSE(swapon),
        REFUSE(personality),
        REFUSE(umount2),
        REFUSE(pivot_root),
        REFUSE(unshare),
        REFUSE(setns),
        REFUSE(mount),
        REFUSE(chroot),
        // What it would start is behind a pointer; the C library goes back to clone.
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_clone3, 0, 1),
        REFUSE_WITH(ENOSYS),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_clone, 0, 4),
        LOAD(args[0]),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 1, 0),
        REFUSE_WITH(EPERM),
        ALLOW,
        // Signals to itself stay, for that is how it aborts.
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_tgkill, 0, 4),
        LOAD(args[0]),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)getpid(), 1, 0),
        REFUSE_WITH(EPERM),
        ALLOW,
        // Limits of its own stay, for they are set anew for every photo.
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_prlimit64, 0, 4),
        LOAD(args[0]),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0),
        REFUSE_WITH(EPERM),
        ALLOW,
        // Nothing is typed into the terminal that shows its messages.
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_ioctl, 0, 4),
        LOAD(args[1]),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, TIOCSTI, 0, 1),
        REFUSE_WITH(EPERM),
        ALLOW,
        ALLOW,
    };
#undef LOAD
#undef REFUSE_WITH
#undef ALLOW
#undef REFUSE
    struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return errno;
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) != 0) return errno;
    return 0;
#endif
}
