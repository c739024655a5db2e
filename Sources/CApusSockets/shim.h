// SPDX-License-Identifier: MIT
// What Linux can do with sockets and Swift's Glibc module leaves out.
#pragma once

#include <linux/sockios.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

/// Adds, changes or removes a descriptor. Returns 0, or -1 with errno.
static inline int apus_epoll_change(int epoll, int operation, int descriptor, uint32_t events, uint64_t data) {
    struct epoll_event event = {.events = events, .data = {.u64 = data}};
    return epoll_ctl(epoll, operation, descriptor, &event);
}

static inline uint64_t apus_epoll_data(const struct epoll_event *event) { return event->data.u64; }

// Without _GNU_SOURCE it is hidden, and with it types of Swift's Glibc module would be declared otherwise.
extern int accept4(int, struct sockaddr *, socklen_t *, int);

/// The next connection that waits, as a socket that does not block, or -1 with errno.
static inline int apus_accept(int listener, struct sockaddr *address, socklen_t *size) {
    return accept4(listener, address, size, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

/// Bytes that the peer has not acknowledged (SIOCOUTQ) or that were not sent yet (SIOCOUTQNSD), or -1.
static inline int apus_socket_queue(int descriptor, int is_unsent) {
    int count = 0;
    return ioctl(descriptor, is_unsent ? SIOCOUTQNSD : SIOCOUTQ, &count) == 0 ? count : -1;
}

/// The smoothed round trip time in microseconds, or -1.
static inline int64_t apus_round_trip(int descriptor) {
    struct tcp_info info = {0};
    socklen_t size = sizeof info;
    return getsockopt(descriptor, IPPROTO_TCP, TCP_INFO, &info, &size) == 0 ? (int64_t)info.tcpi_rtt : -1;
}

static inline int apus_set_option(int descriptor, int level, int name, int value) {
    return setsockopt(descriptor, level, name, &value, sizeof value);
}
