// SPDX-License-Identifier: MIT

public import ApusBytes
internal import ApusMedia
internal import ISOBMFF

/// The Live Photo metadata in a movie: QuickTime File Format, metadata keys of Apple.
public struct LiveVideoFacts: Hashable, Sendable {
  /// `com.apple.quicktime.content.identifier`.
  public var identifier: String?
  /// The duration of the longest track, in seconds.
  public var duration = 0.0
  /// Whether the movie is in QuickTime's format instead of MP4.
  public var isQuickTime = false
  /// The time of the picture in the video, in microseconds.
  public var stillTime: Int?

  init(isQuickTime: Bool) { self.isQuickTime = isQuickTime }

  /// Reads the facts; `nil` if the source is not a movie with pictures.
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
    stillTime = movie.tracks.lazy.compactMap(\.stillImageTime).first
  }

  private static func seconds(_ track: Track) -> Double? {
    guard let duration = track.duration, track.timescale > 0 else { return nil }
    return Double(duration) / Double(track.timescale)
  }
}
