# SPDX-License-Identifier: MIT
"""nginx with its RTMP module, which relays and records, and as a TLS front before it."""

import contextlib

from programs import free_port, run, running

MODULES = "/usr/lib/nginx/modules"
COMMON = """
daemon off; master_process off; pid {folder}/nginx.pid; error_log {folder}/error.log info;
events {{ worker_connections 256; }}
"""
RTMP = "load_module " + MODULES + "/ngx_rtmp_module.so;" + COMMON + """
rtmp {{ access_log off; server {{ listen 127.0.0.1:{port}; chunk_size 4096;
  application live {{ live on; publish_notify on; record all; record_path {folder}/recorded; }} }} }}
"""
PUSHER = "load_module " + MODULES + "/ngx_rtmp_module.so;" + COMMON + """
rtmp {{ access_log off; server {{ listen 127.0.0.1:{port};
  application live {{ live on; push {target}; }} }} }}
"""
FRONT = "load_module " + MODULES + "/ngx_stream_module.so;" + COMMON + """
stream {{ server {{ listen 127.0.0.1:{port} ssl; ssl_certificate {folder}/certificate.pem;
  ssl_certificate_key {folder}/key.pem; proxy_pass 127.0.0.1:{behind}; }} }}
"""
PROXY = COMMON + "http {{ {server} }}"


@contextlib.contextmanager
def proxy(folder, server, behind):
    """nginx before an HTTP server at another port, as the text of a `server` with TLS describes it: its port."""
    folder.mkdir(parents=True)
    certificate(folder)
    port = free_port()
    for name, value in (("listen 443", f"listen 127.0.0.1:{port}"), ("/etc/ssl/live.pem", f"{folder}/certificate.pem"),
                        ("/etc/ssl/live.key", f"{folder}/key.pem"), ("127.0.0.1:8080", f"127.0.0.1:{behind}")):
        if server.count(name) != 1:
            raise ValueError(f"the server does not have {name} once")
        server = server.replace(name, value)
    configuration = folder / "nginx.conf"
    configuration.write_text(PROXY.format(folder=folder, server=server))
    with running("nginx", "-p", folder, "-e", folder / "start.log", "-c", configuration, port=port):
        yield port


@contextlib.contextmanager
def relay(folder):
    """nginx-rtmp: its port; recordings appear in `recorded`, and players are told when a stream ends."""
    (folder / "recorded").mkdir(parents=True)
    with started(folder, RTMP) as port:
        yield port


@contextlib.contextmanager
def pusher(folder, target):
    """nginx-rtmp that publishes on, to another server, what is published to it: its port."""
    folder.mkdir(parents=True)
    with started(folder, PUSHER, target=target) as port:
        yield port


@contextlib.contextmanager
def front(folder, behind):
    """TLS before another port: its port; `certificate.pem` is for 127.0.0.1 and localhost."""
    folder.mkdir(parents=True)
    certificate(folder)
    with started(folder, FRONT, behind=behind) as port:
        yield port


def certificate(folder):
    """`certificate.pem` and `key.pem` for 127.0.0.1 and localhost."""
    run("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2",
        "-keyout", folder / "key.pem", "-out", folder / "certificate.pem", "-subj", "/CN=localhost",
        "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1")


@contextlib.contextmanager
def started(folder, text, **values):
    port = free_port()
    configuration = folder / "nginx.conf"
    configuration.write_text(text.format(folder=folder, port=port, **values))
    with running("nginx", "-p", folder, "-e", folder / "start.log", "-c", configuration, port=port):
        yield port
