// SPDX-License-Identifier: MIT

internal import ApusBytes
package import ApusSamples
internal import FLV

extension FLVTracks {
  package static let cut = "the file ends inside a tag, which is left out"

  package static func junk(_ count: Int) -> String { "\(count) bytes between tags are skipped" }

  /// The streams that never became a track, as text.
  package var unconfigured: [String] {
    let keys = early.keys.sorted { left, right in
      left.kind == right.kind ? left.id < right.id : left.kind == .video
    }
    return keys.compactMap { key in
      early[key].map { frames in
        "\(key.kind) track \(key.id) has no configuration and is left out: \(frames.count) "
          + (frames.count == 1 ? "frame, at" : "frames, the first at") + " byte \(frames.offset)"
      }
    }
  }

  /// Returns whether all tracks of a kind that the metadata announce are known, and at least one is.
  package func isComplete(_ kind: CodedTrack.Kind) -> Bool {
    tracks.count { $0.kind == kind } >= announced[kind] ?? 1
  }

  /// The sample entries that MP4 has for the older forms of sound.
  static let codes: [SoundFormat: FourCC] = [
    .aLaw: "alaw", .muLaw: "ulaw", .pcmLittleEndian: "sowt",
  ]

  /// The faults found while samples were made, as text.
  package var repairs: [String] {
    guard let soundChanges else { return [] }
    let times = soundChanges.count == 1 ? "once" : "\(soundChanges.count) times, first"
    return ["the configuration of sound changes \(times), at byte \(soundChanges.offset)"]
  }
}

extension CodedTrack.Format {
  /// Returns whether frames of a codec have this format.
  func isCoded(as codec: Codec) -> Bool {
    switch (self, codec) {
    case (.hevc, .hevc), (.avc, .avc), (.aac, .aac): true
    case (.other(let code, _), .fourCC(let other)): code == other
    case (.other(let code, _), .audio(let format)): FLVTracks.codes[format] == code
    default: false
    }
  }
}
