// SPDX-License-Identifier: MIT

public import ApusSamples

/// The result of searching a broken movie for samples.
public struct RecoveryReport: Sendable {
  /// The samples of one track.
  public struct Track: Sendable {
    /// The name of the track, such as `HEVC video`.
    public var name: String
    /// The kind of the track.
    public var kind: CodedTrack.Kind
    /// The number of samples in the recovered movie.
    public var samples: Int
    /// The number of samples before the first with which decoding can begin; they are left out.
    public var undecodable: Int
    /// The number of samples that were lost between others, as far as the order of the tracks shows it.
    public var lost: Int
  }

  /// Bytes that belong to no sample that was found.
  public struct Gap: Hashable, Sendable {
    /// The range of the bytes in the file.
    public var range: Range<Int>
    /// Whether all of them are 0.
    public var isZero: Bool
  }

  /// All tracks that were searched for.
  public var tracks: [Track] = []
  /// The bytes that could not be explained, in the order of the file.
  public var gaps: [Gap] = []
  /// The number of bytes that the media data has beyond the end of the file, according to its size.
  public var missing = 0
  /// Whether a file that describes its samples has other damage than these bytes.
  public var isDoubtful = false
  /// Warnings about the healthy movie, about tracks that cannot be searched for, and about damage.
  public var warnings: [String] = []

  /// Creates an empty report.
  public init() {}

  /// The number of bytes that could not be explained.
  public var unexplained: Int { gaps.reduce(0) { $0 + $1.range.count } }

  /// Whether every byte of the media data is in a sample of the recovered movie, and none is missing.
  public var isComplete: Bool {
    gaps.isEmpty && missing == 0 && !isDoubtful
      && tracks.allSatisfy { $0.undecodable == 0 && $0.lost == 0 }
  }
}
