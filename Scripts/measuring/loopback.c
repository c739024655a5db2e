// SPDX-License-Identifier: MIT
// loopback: what the kernel allows a publisher and a recorder on one machine, with no protocol between them. A process sends
// frames of 100 kB over TCP, another one stores them in a file in memory, each in several ways.
//
//     cc -O2 -o /tmp/loopback Scripts/measuring/loopback.c -luring && /tmp/loopback

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <liburing.h>
#include <linux/errqueue.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { FRAME = 100 * 1000, PIECE = 256 << 10, PIPE = 1 << 20, RUNS = 5 };
static const size_t total = 1500u << 20;
static char *frame;

static void check(int holds, const char *what) {
    if (holds) return;
    perror(what);
    exit(1);
}

static size_t next(size_t sent) { return total - sent < FRAME ? total - sent : FRAME; }

static void make_pipe(int ends[2]) {
    check(pipe(ends) == 0, "pipe");
    fcntl(ends[1], F_SETPIPE_SZ, PIPE);
}

static void splice_all(int from, int to, size_t count, unsigned flags) {
    while (count > 0) {
        ssize_t moved = splice(from, NULL, to, NULL, count, SPLICE_F_MOVE | flags);
        check(moved > 0, "splice");
        count -= moved;
    }
}

static int completed(struct io_uring *ring) {
    struct io_uring_cqe *entry;
    check(io_uring_submit_and_wait(ring, 1) >= 0 && io_uring_wait_cqe(ring, &entry) == 0, "io_uring");
    int result = entry->res;
    io_uring_cqe_seen(ring, entry);
    return result;
}

// Publishers.

static void send_plainly(int socket) {
    for (size_t sent = 0; sent < total;) {
        ssize_t count = send(socket, frame, next(sent), 0);
        check(count > 0, "send");
        sent += count;
    }
}

static void send_without_copies(int socket) {
    int yes = 1;
    check(setsockopt(socket, SOL_SOCKET, SO_ZEROCOPY, &yes, sizeof yes) == 0, "SO_ZEROCOPY");
    for (size_t sent = 0; sent < total;) {
        ssize_t count = send(socket, frame, next(sent), MSG_ZEROCOPY);
        check(count > 0 || errno == ENOBUFS, "send");
        if (count > 0) sent += count;
        // Notices of what has arrived.
        char control[256];
        struct msghdr message = {.msg_control = control, .msg_controllen = sizeof control};
        while (recvmsg(socket, &message, MSG_ERRQUEUE | MSG_DONTWAIT) >= 0) message.msg_controllen = sizeof control;
    }
}

// Lends pages to the kernel, which must not change before they have arrived.
static void send_spliced(int socket) {
    int ends[2];
    make_pipe(ends);
    for (size_t sent = 0; sent < total;) {
        struct iovec part = {frame, next(sent)};
        ssize_t count = vmsplice(ends[1], &part, 1, 0);
        check(count > 0, "vmsplice");
        splice_all(ends[0], socket, count, SPLICE_F_MORE);
        sent += count;
    }
}

static void send_by_ring(int socket) {
    struct io_uring ring;
    check(io_uring_queue_init(8, &ring, 0) == 0, "io_uring");
    for (size_t sent = 0; sent < total;) {
        io_uring_prep_send(io_uring_get_sqe(&ring), socket, frame, next(sent), MSG_WAITALL);
        int count = completed(&ring);
        check(count > 0, "send");
        sent += count;
    }
}

// Recorders.

static int file(void) {
    int descriptor = memfd_create("recording", 0);
    check(descriptor >= 0, "memfd_create");
    return descriptor;
}

static size_t drop(int socket) {
    char *piece = malloc(PIECE);
    size_t got = 0;
    for (ssize_t count; (count = recv(socket, piece, PIECE, 0)) > 0;) got += count;
    return got;
}

static size_t record_plainly(int socket) {
    char *piece = malloc(PIECE);
    size_t got = 0;
    int to = file();
    for (ssize_t count; (count = recv(socket, piece, PIECE, 0)) > 0; got += count)
        check(write(to, piece, count) == count, "write");
    return got;
}

// What a recorder of RTMP cannot do, as it has to look at what comes and to take the headers of chunks out.
static size_t record_spliced(int socket) {
    int ends[2], to = file();
    make_pipe(ends);
    size_t got = 0;
    for (ssize_t count; (count = splice(socket, NULL, ends[1], NULL, PIPE, SPLICE_F_MOVE)) > 0; got += count)
        splice_all(ends[0], to, count, 0);
    return got;
}

static size_t record_by_ring(int socket) {
    struct io_uring ring;
    check(io_uring_queue_init(8, &ring, 0) == 0, "io_uring");
    char *piece = malloc(PIECE);
    size_t got = 0;
    int to = file();
    while (1) {
        io_uring_prep_recv(io_uring_get_sqe(&ring), socket, piece, PIECE, 0);
        int count = completed(&ring);
        if (count <= 0) return got;
        io_uring_prep_write(io_uring_get_sqe(&ring), to, piece, count, got);
        check(completed(&ring) == count, "write");
        got += count;
    }
}

static const struct {
    const char *name;
    void (*run)(int);
} publishers[] = {
    {"send", send_plainly},
    {"send with MSG_ZEROCOPY", send_without_copies},
    {"vmsplice and splice", send_spliced},
    {"io_uring", send_by_ring},
};

static const struct {
    const char *name;
    size_t (*run)(int);
} recorders[] = {
    {"recv, nothing stored", drop},
    {"recv and write", record_plainly},
    {"io_uring", record_by_ring},
    {"splice", record_spliced},
};

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

// Gigabytes in a second.
static double speed(int publisher, int recorder) {
    struct sockaddr_in place = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof place;
    int door = socket(AF_INET, SOCK_STREAM, 0), status;
    check(bind(door, (struct sockaddr *)&place, size) == 0 && listen(door, 1) == 0, "listen");
    getsockname(door, (struct sockaddr *)&place, &size);
    pid_t child = fork();
    check(child >= 0, "fork");
    if (child == 0) _exit(recorders[recorder].run(accept(door, NULL, NULL)) == total ? 0 : 1);
    int link = socket(AF_INET, SOCK_STREAM, 0);
    check(connect(link, (struct sockaddr *)&place, size) == 0, "connect");
    double start = now();
    publishers[publisher].run(link);
    shutdown(link, SHUT_WR);
    waitpid(child, &status, 0);
    double seconds = now() - start;
    check(status == 0, "something is missing");
    close(link);
    close(door);
    return total / seconds / 1e9;
}

static int order(const void *one, const void *other) {
    double difference = *(const double *)one - *(const double *)other;
    return difference < 0 ? -1 : difference > 0;
}

int main(void) {
    frame = aligned_alloc(4096, 1 << 20);
    memset(frame, 7, 1 << 20);
    printf("| publisher | recorder | GB/s |\n|---|---|---|\n");
    for (size_t recorder = 0; recorder < sizeof recorders / sizeof *recorders; recorder++)
        for (size_t publisher = 0; publisher < sizeof publishers / sizeof *publishers; publisher++) {
            double speeds[RUNS];
            for (int run = 0; run < RUNS; run++) speeds[run] = speed(publisher, recorder);
            qsort(speeds, RUNS, sizeof *speeds, order);
            printf("| %s | %s | %.2f |\n", publishers[publisher].name, recorders[recorder].name, speeds[RUNS / 2]);
            fflush(stdout);
        }
}
