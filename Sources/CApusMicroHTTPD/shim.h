// SPDX-License-Identifier: MIT
// GNU libmicrohttpd, opened when a server is wanted.
#pragma once

#include <microhttpd.h>
#include <stddef.h>
#include <stdint.h>

#include "../CApusTables/table.h"

#define APUS_HTTP_FUNCTIONS(F)           \
    F(MHD_quiesce_daemon)                \
    F(MHD_stop_daemon)                   \
    F(MHD_suspend_connection)            \
    F(MHD_resume_connection)             \
    F(MHD_get_connection_values)         \
    F(MHD_queue_response)                \
    F(MHD_create_response_from_buffer)   \
    F(MHD_create_response_from_fd64)     \
    F(MHD_create_response_from_fd_at_offset64) \
    F(MHD_add_response_header)           \
    F(MHD_destroy_response)

/// Every function that is called, as a pointer of its own type; those that take any number of arguments are called here.
struct APUS_TABLE apus_http {
    APUS_TABLE_BEGIN
    APUS_HTTP_FUNCTIONS(APUS_POINTER)
    void (*start)(void);
    void (*information)(void);
    APUS_TABLE_END
    // A function of 0.9.76 and later; the parser of heads in older versions accepts what RFC 9112 forbids, and answers in HTML.
    void (*version)(void);
};

static const char *const apus_http_names = APUS_HTTP_FUNCTIONS(APUS_NAME) "MHD_start_daemon MHD_get_connection_info ?MHD_get_version_bin";

struct apus_http_callbacks {
    void *context;
    MHD_AccessHandlerCallback request;
    MHD_RequestCompletedCallback completed;
    MHD_NotifyConnectionCallback connection;
    void *(*uri)(void *, const char *, struct MHD_Connection *);
};

/// Starts a thread that serves a listening socket, which it closes in the end.
static inline struct MHD_Daemon *apus_http_start(
    const struct apus_http *table, int listener, unsigned connections, unsigned idle_seconds,
    struct apus_http_callbacks callbacks) {
    __typeof__(MHD_start_daemon) *start = (__typeof__(MHD_start_daemon) *)table->start;
    return start(
        MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, callbacks.request, callbacks.context,
        MHD_OPTION_LISTEN_SOCKET, (MHD_socket)listener,
        MHD_OPTION_NOTIFY_COMPLETED, callbacks.completed, callbacks.context,
        MHD_OPTION_NOTIFY_CONNECTION, callbacks.connection, callbacks.context,
        MHD_OPTION_CONNECTION_LIMIT, connections,
        MHD_OPTION_CONNECTION_TIMEOUT, idle_seconds,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)(32 << 10),
        MHD_OPTION_URI_LOG_CALLBACK, callbacks.uri, callbacks.context,
        // The old one leaves it to us to refuse heads, so that the answer is ours.
        MHD_OPTION_STRICT_FOR_CLIENT, table->version ? 1 : -1,
        MHD_OPTION_END);
}

/// The socket of a connection, or -1.
static inline int apus_http_socket(const struct apus_http *table, struct MHD_Connection *connection) {
    __typeof__(MHD_get_connection_info) *information = (__typeof__(MHD_get_connection_info) *)table->information;
    const union MHD_ConnectionInfo *found = information(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return found ? found->connect_fd : -1;
}
