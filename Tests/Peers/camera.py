# SPDX-License-Identifier: MIT
"""A camera: `camera.py PORT PATH MOVIE [USER:PASSWORD]` serves a movie of HEVC or H.264 and AAC at an RTSP address, for Debian's
own Python, which has gst-rtsp-server."""

import sys

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstRtsp", "1.0")
gi.require_version("GstRtspServer", "1.0")
from gi.repository import GLib, Gst, GstRtsp, GstRtspServer  # noqa: E402


def factory_of(movie):
    """What the camera sends: the pictures as they are coded, and the sound."""
    factory = GstRtspServer.RTSPMediaFactory()
    factory.set_launch(
        f"( filesrc location={movie} ! qtdemux name=movie "
        "movie.video_0 ! queue ! h265parse config-interval=-1 ! rtph265pay name=pay0 pt=96 "
        "movie.audio_0 ! queue ! aacparse ! rtpmp4gpay name=pay1 pt=97 )")
    factory.set_shared(True)
    return factory


def protect(server, factory, login):
    """Lets in nobody without the login."""
    user, password = login.split(":")
    token, permissions = GstRtspServer.RTSPToken(), GstRtspServer.RTSPPermissions()
    token.set_string("media.factory.role", "user")
    permissions.add_role("user")
    for permission in ("media.factory.access", "media.factory.construct"):
        permissions.add_permission_for_role("user", permission, True)
    auth = GstRtspServer.RTSPAuth()
    auth.set_supported_methods(GstRtsp.RTSPAuthMethod.DIGEST)
    auth.add_digest(user, password, token)
    server.set_auth(auth)
    factory.set_permissions(permissions)


def main(port, path, movie, login=None):
    Gst.init(None)
    server = GstRtspServer.RTSPServer()
    server.set_address("127.0.0.1")
    server.set_service(port)
    factory = factory_of(movie)
    if login:
        protect(server, factory, login)
    server.get_mount_points().add_factory(path, factory)
    server.attach(None)
    GLib.MainLoop().run()


if __name__ == "__main__":
    main(*sys.argv[1:])
