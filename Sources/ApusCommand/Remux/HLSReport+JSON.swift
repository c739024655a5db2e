// SPDX-License-Identifier: MIT

import HLS
import Media
import Presentations

extension HLSReport.Rendition {
  /// What is known of it. What only the samples tell is not known before anything is written.
  func addFields(to json: inout JSONWriter<String>) {
    json.field("name", track)
    json.field("playlist", name)
    json.field("language", language)
    guard segments > 0 else { return }
    json.field("codec", codec)
    if let size {
      json.field("width", size.width)
      json.field("height", size.height)
    }
    if !supplementalCodecs.isEmpty {
      json.field("supplemental_codecs", supplementalCodecs.joined(separator: ","))
    }
    if let range = videoRange { json.field("video_range", range.rawValue) }
    json.field("samples", samples)
    json.field("key_frames", keyFrames)
    json.field("format_changes", changes)
    json.field("segments", segments)
    json.field("independent", isIndependent)
    json.field("bytes", bytes)
    json.field("peak_bits_per_second", peakRate)
    json.field("average_bits_per_second", averageRate)
    if let winding = keyFramePlaylist {
      json.field("key_frame_playlist", winding.name)
    }
  }
}
