// SPDX-License-Identifier: MIT

import ApusContainers
internal import ApusFacts
import ApusMedia
import ApusPresentations
public import ApusSamples
import HLS

extension RemuxTarget: FactValue {}
extension VideoRange: FactValue {}

/// A track that was written.
struct WrittenTrack: Described {
  let track: RemuxReport.Track
  /// Whether changes of its format are reported.
  var hasChanges = true

  static let title = "track"

  static func describe<V: FactVisitor>(_ v: inout V) where V.Subject == WrittenTrack {
    v.required("name", "Codec and kind: HEVC video.") { $0.track.name }
    v.required("samples", "The number of samples.") { $0.track.samples }
    v.required("key_frames", "The number of key frames.") { $0.track.keyFrames }
    v.optional("format_changes", "The number of times that its configuration changed.") {
      $0.hasChanges ? $0.track.changes : nil
    }
  }
}

/// A track that was not written.
struct LeftOutTrack: Described {
  /// The input, if there are several.
  var file: String?
  let name: String
  let reason: String

  static let title = "left_out"

  static func describe<V: FactVisitor>(_ v: inout V) where V.Subject == LeftOutTrack {
    v.optional("file", "The input, if one presentation is made of several.") { $0.file }
    v.required("name", "Codec and kind: HEVC video.") { $0.name }
    v.required("reason", "The reason, worded to follow the name.") { $0.reason }
  }
}

/// A track in a presentation. Facts that only the samples tell are unknown before it is written.
struct WrittenRendition: Described {
  /// The input, if there are several.
  var file: String?
  let rendition: HLSReport.Rendition

  static let title = "rendition"

  static func describe<V: FactVisitor>(_ v: inout V) where V.Subject == WrittenRendition {
    v.optional("file", "The input, if one presentation is made of several.") { $0.file }
    v.required("name", "Codec and kind: HEVC video.") { $0.rendition.track }
    v.required("playlist", "The playlist, in the folder next to the output.") { $0.rendition.name }
    v.required("language", "Three letters of ISO 639-2; und if unknown.") { $0.rendition.language }
    v.optional("codec", "The codec string: RFC 6381.") { $0.written?.codec }
    v.optional("width", "The width of its pictures.") { $0.written?.size?.width }
    v.optional("height", "The height of its pictures.") { $0.written?.size?.height }
    v.optional(
      "supplemental_codecs",
      "The codec for players that know Dolby Vision, with the brand of the base layer."
    ) { $0.written?.supplementalCodecs.nonEmpty?.joined(separator: ",") }
    v.optional("video_range", "The dynamic range.") { $0.written?.videoRange }
    v.optional("samples", "The number of samples.") { $0.written?.samples }
    v.optional("key_frames", "The number of key frames.") { $0.written?.keyFrames }
    v.optional("format_changes", "The number of times that its configuration changed.") {
      $0.written?.changes
    }
    v.optional("segments", "The number of segments.") { $0.written?.segments }
    v.optional("independent", "Whether each segment can be decoded without the one before.") {
      $0.written?.isIndependent
    }
    v.optional("bytes", "The size of the header and all segments.") { $0.written?.bytes }
    v.optional("peak_bits_per_second", "The highest bit rate.") { $0.written?.peakRate }
    v.optional("average_bits_per_second", "The average bit rate.") { $0.written?.averageRate }
    v.optional(
      "key_frame_playlist",
      "The playlist of its key frames alone, in the folder next to the output."
    ) { $0.written?.keyFramePlaylist?.name }
  }

  private var written: HLSReport.Rendition? { rendition.segments > 0 ? rendition : nil }
}
