// SPDX-License-Identifier: MIT

public import Bytes
public import Media

/// One access unit of video, or one frame of audio.
public struct CodedSample: Sendable {
  /// The index of its track among those of the source.
  public var track: Int
  public var decodeTime: RationalTime
  public var presentationTime: RationalTime
  /// The duration; `nil` where only the next sample tells.
  public var duration: RationalTime?
  /// Whether a decoder can begin here; of HEVC and AVC the NAL units said it, whatever the container says.
  public var isSync: Bool
  public var payload: Extent {
    // Other bytes were not examined.
    didSet { hasParameterSets = nil }
  }
  /// Whether there are parameter sets among its NAL units, where that was looked for.
  package var hasParameterSets: Bool?
  /// How many samples of one size and duration it is: of sound without compression each is one moment.
  public var count = 1
  /// The number of the sample in its track of the movie that it came from, from 0.
  public var number: Int?

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
