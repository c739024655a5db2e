// SPDX-License-Identifier: MIT

public import ApusMedia
public import ApusSamples
public import FLV

/// The results of a remux.
public struct RemuxReport: Sendable {
  /// The counts for one written track.
  public struct Track: Sendable {
    /// The name of the track, such as `HEVC video`.
    public var name: String
    /// The kind of the track as written.
    public var kind: CodedTrack.Kind
    /// The number of samples written.
    public var samples = 0
    /// The number of samples at which a decoder can begin.
    public var keyFrames = 0
    /// The number of times that its format changed.
    public var changes = 0
  }

  /// The tracks that were written.
  public var tracks: [Track] = []
  /// The tracks that were not written: their names, and the reasons.
  public var leftOut: [(name: String, reason: String)] = []
  /// Everything else that is lost.
  public var warnings: [String] = []
  /// Warnings of the input that no longer apply, because the target keeps what they name.
  public var settled: [String] = []
  /// The faults of the input that were repaired.
  public var repairs: [String] = []
  /// The form of HEVC, where the target has two.
  public var dialect: HEVCDialect?
  /// The time from the first presentation to the end of the last sample.
  public var duration = RationalTime(0, per: 1000)
  /// The shift that was added to all times so that they begin where the target wants them.
  public var shift = RationalTime(0, per: 1000)

  /// Creates an empty report.
  public init() {}

  /// The number of pictures; of samples where there is no video.
  public var pictures: Int {
    let video = tracks.filter { $0.kind == .video }
    return (video.isEmpty ? tracks : video).reduce(0) { $0 + $1.samples }
  }

  var samples: Int { tracks.reduce(0) { $0 + $1.samples } }
}
