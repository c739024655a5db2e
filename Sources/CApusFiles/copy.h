// SPDX-License-Identifier: MIT
// Bytes moved from file to file by the system, and extended attributes. In C because Swift's view of the C library leaves
// splice and these out.
#pragma once

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/xattr.h>
#include <unistd.h>

extern ssize_t splice(int, off_t *, int, off_t *, size_t, unsigned);

/// What a file system gathers in one piece of memory at best. A write that does not end at a multiple of it makes it
/// take many small pieces, which costs a half more.
static const size_t apus_copy_unit = 1 << 16;

/// Opens a pipe that holds a unit wherever it begins; 0 where that cannot be had.
static inline int apus_copy_open(int ends[2]) {
    const int set_size = 1031;  // F_SETPIPE_SZ
    if (pipe(ends) != 0) return 0;
    if (fcntl(ends[0], F_SETFD, FD_CLOEXEC) == 0 && fcntl(ends[1], F_SETFD, FD_CLOEXEC) == 0 &&
        fcntl(ends[1], set_size, (int)(2 * apus_copy_unit)) >= 0)
        return 1;
    close(ends[0]);
    close(ends[1]);
    return 0;
}

/// Moves `count` bytes of `source` from `*offset` on to where `target`, of `place` bytes, is written next. Returns how
/// many it moved; where that is less, `errno` says why, and something may stay in the pipe.
static inline size_t apus_copy(
    const int ends[2], int source, off_t *offset, int target, size_t place,
    size_t count) {
    size_t done = 0;
    while (done < count) {
        size_t wanted = apus_copy_unit - (place + done) % apus_copy_unit;
        if (wanted > count - done) wanted = count - done;
        ssize_t held = splice(source, offset, ends[1], NULL, wanted, 0);
        if (held < 0 && errno == EINTR) continue;
        if (held <= 0) return done;
        while (held > 0) {
            ssize_t moved = splice(ends[0], NULL, target, NULL, (size_t)held, 0);
            if (moved < 0 && errno == EINTR) continue;
            if (moved <= 0) {
                *offset -= held;
                return done;
            }
            held -= moved;
            done += (size_t)moved;
        }
    }
    return done;
}

/// Gives a file or folder a name that nothing has; -1 where it is taken, and `errno` says so. ENOSYS or EINVAL where the
/// system or the file system cannot do that in one step.
static inline int apus_rename_to_free(const char *from, const char *to) {
    const unsigned no_replace = 1;  // RENAME_NOREPLACE
    return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, no_replace);
}

/// Returns 1 for a folder whose names are compared without regard to case (`chattr +F`), 0 for others.
static inline int apus_folds_case(const char *path) {
    const unsigned long get_flags = _IOR('f', 1, long);  // FS_IOC_GETFLAGS
    const int folds = 0x40000000;                        // FS_CASEFOLD_FL
    int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK);
    if (folder < 0) return 0;
    int flags = 0;
    int code = ioctl(folder, get_flags, &flags);
    close(folder);
    return code == 0 && (flags & folds) != 0;
}
