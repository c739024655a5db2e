// SPDX-License-Identifier: MIT

public import ApusContainers
public import ApusFFmpeg
public import ApusMedia

/// The processing of each picture between filters and encoder: returns the picture to encode, which may be the same or
/// another one of the same size and form, or `nil` to leave it out. An error ends the job.
public typealias PictureStep = @Sendable (VideoFrame) throws(MediaError) -> VideoFrame?

/// The result for one re-encoded track.
public struct TranscodedTrack: Sendable {
  /// The name of the original track: `HEVC video`.
  public var name = ""
  /// The rung of a ladder, if it is one.
  public var rung: Ladder.Rung?
  /// The width and height of the encoded pictures; `nil` for sound.
  public var size: (width: Int, height: Int)?
  /// The encoder, its library and version.
  public var encoder = ""
  /// The number of samples in the input, and of decoded and filtered pictures or sounds in the output.
  public var samples = 0
  /// The number of pictures or sounds in the output, after decoding and filtering.
  public var frames = 0
  /// The size of the encoded samples in bytes.
  public var bytes = 0
  /// The number of incomplete pictures or sounds, where that was allowed.
  public var damaged = 0
  /// The losses of the encoded pictures compared with the decoded ones, as text: a column, colour samples, bits.
  public var losses: [String] = []
  /// The reasons why no encoder in hardware was used although it was preferred, as text; `nil` otherwise.
  public var fallback: String?
  /// Changes of the picture size within the stream, as text.
  public var resizings: [String] = []
  /// The number of times that did not increase.
  public var repairedTimes = 0
  /// The presentation time of the last picture from the encoder.
  public var time: RationalTime?

  /// Creates a report without counts.
  public init() {}
}

/// The progress of a job.
public struct TranscodeProgress: Sendable {
  /// The number of the current pass, from 1, and the number of passes.
  public var pass = 1
  /// The number of passes: 1 or 2.
  public var passes = 1
  /// The number of pictures from the encoders so far.
  public var frames = 0
  /// The size in bytes of the samples written so far.
  public var bytes = 0
  /// The time in the output at which the last picture is shown.
  public var time = RationalTime(0, per: 1000)
  /// The duration of the output; `nil` if unknown.
  public var duration: RationalTime?
  /// The number of pictures kept of an earlier run that this one continues.
  public var keptFrames = 0
  /// The time in the output at which this run continues an earlier one.
  public var kept = RationalTime(0, per: 1000)

  /// Creates the progress of a job that has not begun.
  public init() {}
}

/// An event of a job that writes a file.
public enum TranscodeEvent: Sendable {
  case progress(TranscodeProgress)
  case written(TranscodeReport, path: String, bytes: Int)
  /// An existing file was kept.
  case exists
}

/// The results of a job.
public struct TranscodeReport: Sendable {
  /// The tracks that were re-encoded.
  public var tracks: [TranscodedTrack] = []
  /// The results of writing the container.
  public var output = RemuxReport()
  /// Whether it was stopped before its end.
  public var isStopped = false
  /// The number of pictures kept from the run that this one continued; `nil` if it started from the beginning.
  public var keptPictures: Int?

  /// Creates an empty report.
  public init() {}
}
