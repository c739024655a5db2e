// SPDX-License-Identifier: MIT

public import Bytes
public import ISOBMFF

/// What a track is for, and what only containers like the one it came from can say of it.
public struct TrackDetails: Sendable {
  public enum Role: String, Hashable, Sendable, CaseIterable {
    /// Played unless another is chosen.
    case chosen
    case forced, dub, original, comment, lyrics, karaoke
    case hearingImpaired, visualImpaired, captions, descriptions
    /// A picture that represents the file rather than video.
    case cover
  }

  public var title = ""
  /// The name that FFmpeg has for its codec (`mpeg2video`, `vorbis`), where FFmpeg read it or shall write it; empty
  /// otherwise.
  public var codec = ""
  public var roles: Set<Role> = []
  /// What else is said of it by name, as containers with free names do.
  public var tags: [(name: String, value: String)] = []
  /// Sample entries of the movie that it came from, each with the format that samples have for which it holds.
  public var sampleEntries: [(format: CodedTrack.Format, node: Node)] = []
  /// Boxes of its `trak` that another movie takes over as they are.
  public var boxes: [Node] = []
  /// Other tracks of the input that it refers to (`chap`, `tmcd`, `cdsc` …), by their index there.
  public var references: [(type: FourCC, tracks: [Int])] = []

  /// What only movies say; `nil` where it came from none, and as soon as its samples are others.
  public var movie: MovieTraits?

  public init() {}
}
