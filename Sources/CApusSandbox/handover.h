// SPDX-License-Identifier: MIT
// Open files on their way from process to process, and the wait for what comes back. Functions in C because Swift does not see
// the macros that lay out control messages, nor the event by which a socket says that its other end was closed.
#pragma once

#include <errno.h>
#include <poll.h>
#include <stddef.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

/// How many open files come with a message.
#define APUS_HANDED_FILES 4

/// Sends a message with open files over a socket that keeps messages apart. Returns an error number, or 0.
static inline int apus_hand_over(int channel, const void *bytes, size_t count, const int *files) {
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(APUS_HANDED_FILES * sizeof(int))];
    } control;
    memset(&control, 0, sizeof control);
    struct iovec data = {(void *)bytes, count};
    struct msghdr message = {.msg_iov = &data, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(APUS_HANDED_FILES * sizeof(int));
    memcpy(CMSG_DATA(header), files, APUS_HANDED_FILES * sizeof(int));
    ssize_t sent;
    do sent = sendmsg(channel, &message, MSG_NOSIGNAL);
    while (sent < 0 && errno == EINTR);
    return sent < 0 ? errno : 0;
}

/// Waits for such a message. Returns its size, 0 when the other end is closed, or -1 for what is no such message.
static inline ssize_t apus_take_over(int channel, void *bytes, size_t room, int *files) {
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(APUS_HANDED_FILES * sizeof(int))];
    } control;
    struct iovec data = {bytes, room};
    struct msghdr message = {.msg_iov = &data, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    ssize_t count;
    do count = recvmsg(channel, &message, MSG_CMSG_CLOEXEC);
    while (count < 0 && errno == EINTR);
    if (count <= 0) return count;
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    if (message.msg_flags & (MSG_TRUNC | MSG_CTRUNC) || !header || header->cmsg_type != SCM_RIGHTS ||
        header->cmsg_len != CMSG_LEN(APUS_HANDED_FILES * sizeof(int)))
        return -1;
    memcpy(files, CMSG_DATA(header), APUS_HANDED_FILES * sizeof(int));
    return count;
}

/// How a wait for a reply ended: the time is over, the reply is there, or the client that wanted it has closed its connection.
enum apus_wait { APUS_WAIT_OVER, APUS_WAIT_REPLY, APUS_WAIT_ABANDONED };

/// Waits until something can be read from a channel, or until a client is gone. A descriptor of -1 stands for neither.
static inline enum apus_wait apus_wait_for_reply(int channel, int client, int milliseconds) {
    struct pollfd places[2] = {{.fd = channel, .events = POLLIN}, {.fd = client, .events = EPOLLRDHUP}};
    if (poll(places, 2, milliseconds) <= 0) return APUS_WAIT_OVER;
    return places[0].revents ? APUS_WAIT_REPLY : APUS_WAIT_ABANDONED;
}
