# SPDX-License-Identifier: MIT
"""ingest.py PORT FILE: takes what is published to a port of loopback into an FLV file, by pyrtmp."""

import asyncio
import logging
import sys

from pyrtmp.flv import FLVFileWriter, FLVMediaType
from pyrtmp.rtmp import RTMPProtocol, SimpleRTMPController, SimpleRTMPServer


class Recorder(SimpleRTMPController):
    async def on_ns_publish(self, session, message):
        session.state = FLVFileWriter(output=sys.argv[2])
        await super().on_ns_publish(session, message)

    async def on_metadata(self, session, message):
        session.state.write(0, message.to_raw_meta(), FLVMediaType.OBJECT)

    async def on_video_message(self, session, message):
        session.state.write(message.timestamp, message.payload, FLVMediaType.VIDEO)

    async def on_audio_message(self, session, message):
        session.state.write(message.timestamp, message.payload, FLVMediaType.AUDIO)

    async def on_stream_closed(self, session, exception):
        session.state.close()
        asyncio.get_running_loop().stop()


class Server(SimpleRTMPServer):
    async def create(self, host, port):
        self.server = await asyncio.get_running_loop().create_server(
            lambda: RTMPProtocol(controller=Recorder()), host=host, port=port)


async def serve():
    server = Server()
    await server.create("127.0.0.1", int(sys.argv[1]))
    await server.start()
    await server.wait_closed()


logging.basicConfig(level=logging.ERROR)
try:
    asyncio.run(serve())
except RuntimeError:
    pass  # The loop was stopped, for the stream is over.
