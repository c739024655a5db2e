// SPDX-License-Identifier: MIT

public import Media

/// How a presentation for HTTP Live Streaming is cut and laid out.
public struct HLSOptions: Hashable, Sendable {
  public enum Form: String, Hashable, Sendable, CaseIterable {
    /// A file for each segment.
    case files
    /// One file for each track, whose segments are ranges of it.
    case ranges
  }

  public var form = Form.files
  /// Segments are no longer than this where key frames allow it.
  public var segmentDuration = RationalTime.milliseconds(6000)
  /// How long a fragment of a segment is; `nil` for one from each key frame to the next.
  public var fragmentDuration: RationalTime?

  public init() {}
}
