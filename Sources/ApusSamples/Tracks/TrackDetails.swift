// SPDX-License-Identifier: MIT

public import ApusBytes
public import ISOBMFF

/// The roles of a track, and the facts that only containers like its original one can store.
public struct TrackDetails: Sendable {
  /// The purpose of a track, as its container declares it.
  public enum Role: String, Hashable, Sendable, CaseIterable {
    /// Played unless another track is chosen.
    case chosen
    case forced, dub, original, comment, lyrics, karaoke
    case hearingImpaired, visualImpaired, captions, descriptions
    /// A picture that represents the file rather than video.
    case cover
  }

  /// The title for users; empty if there is none.
  public var title = ""
  /// FFmpeg's name of its codec (`mpeg2video`, `vorbis`), where FFmpeg read it or will write it; empty otherwise.
  public var codec = ""
  /// The purposes of the track; empty if its container declares none.
  public var roles: Set<Role> = []
  /// Further named facts, in containers with free names.
  public var tags: [(name: String, value: String)] = []
  /// The sample entries of the original movie, each with the format of the samples to which it applies.
  public var sampleEntries: [(format: CodedTrack.Format, node: Node)] = []
  /// Boxes of its `trak` that another movie takes over unchanged.
  public var boxes: [Node] = []
  /// Other tracks of the input to which it refers (`chap`, `tmcd`, `cdsc` …), by their indices there.
  public var references: [(type: FourCC, tracks: [Int])] = []

  /// The properties that only movies store; `nil` if it did not come from one, and as soon as its samples change.
  public var movie: MovieTraits?

  /// Creates details that contain nothing.
  public init() {}
}
