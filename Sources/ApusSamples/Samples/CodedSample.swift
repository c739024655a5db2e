// SPDX-License-Identifier: MIT

public import ApusBytes
public import ApusMedia

/// One access unit of video, or one frame of audio.
public struct CodedSample: Sendable {
  /// The index of its track among those of the source.
  public var track: Int
  /// The time at which it is decoded; increases within a track.
  public var decodeTime: RationalTime
  /// The time at which it is shown or played, which may be before other samples that were decoded earlier.
  public var presentationTime: RationalTime
  /// The duration; `nil` where it follows only from the next sample.
  public var duration: RationalTime?
  /// Whether a decoder can begin here; for HEVC and AVC this is taken from the NAL units, whatever the container says.
  public var isSync: Bool
  /// The coded bytes in the form that `CodedTrack.Format` describes; they may still be in the input's file.
  public var payload: Extent {
    // Other bytes were not examined.
    didSet { hasParameterSets = nil }
  }
  /// Whether there are parameter sets among its NAL units, if that was checked.
  package var hasParameterSets: Bool?
  /// The number of samples of equal size and duration that it combines: for uncompressed sound each is one moment.
  public var count = 1
  /// The index of the sample in its track of the original movie, from 0.
  public var number: Int?

  /// Creates a sample.
  ///
  /// - Parameter presentationTime: the time at which it is shown; `nil` for `decodeTime`.
  public init(
    track: Int, decodeTime: RationalTime, presentationTime: RationalTime? = nil,
    duration: RationalTime? = nil, isSync: Bool, payload: Extent
  ) {
    self.track = track
    self.decodeTime = decodeTime
    self.presentationTime = presentationTime ?? decodeTime
    self.duration = duration
    self.isSync = isSync
    self.payload = payload
  }
}
