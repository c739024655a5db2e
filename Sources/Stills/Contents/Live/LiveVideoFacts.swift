// SPDX-License-Identifier: MIT

public import Bytes
internal import ISOBMFF
internal import Media

/// What a movie says of the Live Photo that it belongs to: QuickTime File Format, metadata keys of Apple.
public struct LiveVideoFacts: Hashable, Sendable {
  /// `com.apple.quicktime.content.identifier`.
  public var identifier: String?
  /// Seconds, of the longest track.
  public var duration = 0.0
  public var isQuickTime = false
  /// When in the video the picture was taken, in microseconds: where the only sample of the track with
  /// `com.apple.quicktime.still-image-time` is shown.
  public var stillTime: Int?

  init(isQuickTime: Bool) { self.isQuickTime = isQuickTime }

  /// `nil` for what is no movie with pictures.
  public init?(of source: any ByteSource) throws(SyntaxError) {
    guard try FileKind(of: source) == .isoBMFF else { return nil }
    let tree = try BoxTree(reading: source)
    let movie = Movie(tree)
    guard movie.tracks.contains(where: { $0.handler == "vide" }) else { return nil }
    let type = tree.located.lazy.compactMap { $0.box(FileType.self) }.first
    // Movies without it are older than MP4.
    isQuickTime = type.map { $0.majorBrand == "qt  " } ?? true
    duration = movie.tracks.compactMap(Self.seconds).max() ?? 0
    if let moov = tree.located.first(where: { $0.node.type == "moov" }) {
      identifier = KeyedMetadata(moov).values["com.apple.quicktime.content.identifier"]
    }
    stillTime = movie.tracks.lazy.compactMap(Self.stillTime).first
  }

  private static func seconds(_ track: Track) -> Double? {
    guard let duration = track.duration, track.timescale > 0 else { return nil }
    return Double(duration) / Double(track.timescale)
  }

  private static func stillTime(_ track: Track) -> Int? {
    let key = Array("com.apple.quicktime.still-image-time".utf8)
    let isStill = track.sampleEntries.contains { entry in
      entry.type == "mebx"
        && entry.located.child("keys")?.children.contains {
          $0.child("keyd")?.box(MetadataKeyDeclaration.self)?.value == key
        } == true
    }
    guard isStill, track.timescale > 0 else { return nil }
    var cursor = track.samples()
    guard let sample = try? cursor.next(), let edits = try? track.edits() else { return nil }
    var seconds = Double(sample.compositionTime) / Double(track.timescale)
    for edit in edits {
      guard edit.mediaTime < 0, track.movieTimescale > 0 else {
        seconds -= Double(max(edit.mediaTime, 0)) / Double(track.timescale)
        break
      }
      seconds += Double(edit.segmentDuration) / Double(track.movieTimescale)
    }
    return seconds >= 0 && seconds < 1e6 ? Int((seconds * 1e6).rounded()) : nil
  }
}
