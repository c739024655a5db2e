// SPDX-License-Identifier: MIT

/// What the command is.
enum About {
  static let version = "0.1.0"
  static let summary = "HEVC photos and video, down to the last bit"
  static let discussion = """
    Apus reads, writes and mends the HEVC media of phones and cameras: HEIC photos, MP4, MOV and FLV files,
    presentations for HTTP Live Streaming, RTMP streams, and the boxes and records that they are made of.

    Results go to standard output, everything else to standard error. Files appear whole or not at all,
    and none is overwritten unless asked.
    """
}
