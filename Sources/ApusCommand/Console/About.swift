// SPDX-License-Identifier: MIT

/// The name, version and description of the command.
enum About {
  static let version = "0.1.0"
  static let summary = "HEVC photos and video, down to the last bit"
  static let discussion = """
    Apus reads, writes and repairs HEVC media: HEIC photos, MP4, MOV and FLV files, HTTP Live Streaming
    presentations, RTMP streams, and the boxes and records in them.

    Results go to standard output, messages to standard error. Output files appear only when they are
    complete, and existing files are not overwritten unless you ask for it.
    """
}
