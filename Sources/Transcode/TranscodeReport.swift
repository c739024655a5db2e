// SPDX-License-Identifier: MIT

public import Containers
public import FFmpeg
public import Media

/// What is done to each picture between filters and encoder: it gives the picture to encode, itself or another of the
/// same size and form, or `nil` to leave it out. What it throws ends the job.
public typealias PictureStep = @Sendable (VideoFrame) throws(MediaError) -> VideoFrame?

/// The result for one re-encoded track.
public struct TranscodedTrack: Sendable {
  /// The name of the track as it was: `HEVC video`.
  public var name = ""
  /// What a ladder asked for, where it is one of its rungs.
  public var rung: Ladder.Rung?
  /// Width and height of the coded pictures; `nil` of sound.
  public var size: (width: Int, height: Int)?
  /// The encoder, its library and version.
  public var encoder = ""
  /// How many went in, coded, and came out, decoded and filtered.
  public var samples = 0
  public var frames = 0
  public var bytes = 0
  /// Pictures or sounds that are not whole, where that was allowed.
  public var damaged = 0
  /// What the coded pictures have less of than the decoded ones, as text: a column, samples of colour, bits.
  public var losses: [String] = []
  /// Changes of the size of pictures amid the stream, as text.
  public var resizings: [String] = []
  /// Times that did not rise.
  public var repairedTimes = 0
  /// When the last picture that came out of the encoder is shown.
  public var time: RationalTime?

  public init() {}
}

/// How far a job is.
public struct TranscodeProgress: Sendable {
  /// Which pass it is, from 1, of how many.
  public var pass = 1
  public var passes = 1
  /// The pictures that came out of the encoders.
  public var frames = 0
  public var bytes = 0
  /// The time in the output at which the last picture is shown.
  public var time = RationalTime(0, per: 1000)
  /// The duration of the output; `nil` where that is not known.
  public var duration: RationalTime?
  /// The number of pictures kept of an earlier run that this one continues.
  public var keptFrames = 0
  /// The time in the output at which this run continues an earlier one.
  public var kept = RationalTime(0, per: 1000)

  public init() {}
}

/// What a job came to.
public struct TranscodeReport: Sendable {
  /// The tracks that were re-encoded.
  public var tracks: [TranscodedTrack] = []
  public var output = RemuxReport()
  /// Whether it was stopped before its end.
  public var isStopped = false
  /// The number of pictures kept from the run that this one continued; `nil` if it started from the beginning.
  public var keptPictures: Int?

  public init() {}
}
