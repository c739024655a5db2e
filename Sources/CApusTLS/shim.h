// SPDX-License-Identifier: MIT
// OpenSSL, opened when a connection needs it.
#pragma once

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <stddef.h>
#include <string.h>

#include "../CApusTables/table.h"

#define APUS_SSL_FUNCTIONS(F)            \
    F(TLS_client_method)                 \
    F(TLS_server_method)                 \
    F(SSL_CTX_new)                       \
    F(SSL_CTX_free)                      \
    F(SSL_CTX_ctrl)                      \
    F(SSL_CTX_set_verify)                \
    F(SSL_CTX_set_default_verify_paths)  \
    F(SSL_CTX_load_verify_file)          \
    F(SSL_CTX_use_certificate_chain_file) \
    F(SSL_CTX_use_PrivateKey_file)       \
    F(SSL_CTX_set_default_passwd_cb)     \
    F(SSL_new)                           \
    F(SSL_free)                          \
    F(SSL_ctrl)                          \
    F(SSL_set1_host)                     \
    F(SSL_set_hostflags)                 \
    F(SSL_get0_param)                    \
    F(SSL_set_bio)                       \
    F(SSL_set_connect_state)             \
    F(SSL_set_accept_state)              \
    F(SSL_do_handshake)                  \
    F(SSL_read)                          \
    F(SSL_write)                         \
    F(SSL_shutdown)                      \
    F(SSL_get_error)                     \
    F(SSL_get_verify_result)             \
    F(SSL_get_version)                   \
    F(X509_VERIFY_PARAM_set1_ip_asc)     \
    F(X509_verify_cert_error_string)     \
    F(BIO_new)                           \
    F(BIO_free)                          \
    F(BIO_s_mem)                         \
    F(BIO_write)                         \
    F(BIO_ctrl)                          \
    F(ERR_clear_error)                   \
    F(ERR_get_error)                     \
    F(ERR_reason_error_string)

/// Every function that is called, as a pointer of its own type.
struct APUS_TABLE apus_ssl {
    APUS_TABLE_BEGIN
    APUS_SSL_FUNCTIONS(APUS_POINTER)
    APUS_TABLE_END
};

static const char *const apus_ssl_names = APUS_SSL_FUNCTIONS(APUS_NAME);

// What OpenSSL's headers say in macros.

static inline long apus_ssl_require_tls12(struct apus_ssl call, SSL_CTX *context) {
    return call.SSL_CTX_ctrl(context, SSL_CTRL_SET_MIN_PROTO_VERSION, TLS1_2_VERSION, NULL);
}

/// Partial writes, from memory that may move between two tries, and buffers given back while nothing is in them.
static inline void apus_ssl_set_modes(struct apus_ssl call, SSL_CTX *context) {
    call.SSL_CTX_ctrl(
        context, SSL_CTRL_MODE,
        SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_RELEASE_BUFFERS, NULL);
}

static inline long apus_ssl_set_server_name(struct apus_ssl call, SSL *session, const char *name) {
    return call.SSL_ctrl(session, SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name, (void *)name);
}

/// A passphrase is never asked for at the terminal.
static inline int apus_ssl_no_passphrase(char *buffer, int size, int is_writing, void *user) {
    (void)buffer, (void)size, (void)is_writing, (void)user;
    return -1;
}

static inline void apus_ssl_refuse_passphrases(struct apus_ssl call, SSL_CTX *context) {
    call.SSL_CTX_set_default_passwd_cb(context, apus_ssl_no_passphrase);
}

/// Why the last call failed, in OpenSSL's words or the system's; NULL where nothing is known. Forgets all reasons.
static inline const char *apus_ssl_reason(struct apus_ssl call) {
    unsigned long code = call.ERR_get_error();
    if (code == 0) return NULL;
    call.ERR_clear_error();
    return ERR_SYSTEM_ERROR(code) ? strerror(ERR_GET_REASON(code)) : call.ERR_reason_error_string(code);
}
