// SPDX-License-Identifier: MIT

public import ApusMedia

/// Options for the segments and files of a presentation for HTTP Live Streaming.
public struct HLSOptions: Hashable, Sendable {
  /// The way in which segments are stored.
  public enum Form: String, Hashable, Sendable, CaseIterable {
    /// A file for each segment.
    case files
    /// One file for each track, whose segments are ranges of it.
    case ranges
  }

  /// The way in which segments are stored; by default each in its own file.
  public var form = Form.files
  /// The longest duration of a segment, where key frames allow it.
  public var segmentDuration = RationalTime.milliseconds(6000)
  /// The duration of the fragments in a segment; `nil` for one from each key frame to the next.
  public var fragmentDuration: RationalTime?

  /// Creates the default options.
  public init() {}
}
