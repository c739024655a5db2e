// SPDX-License-Identifier: MIT

internal import ApusBytes
public import ApusMedia

/// The result for one file.
public struct PhotoReport: Sendable, Codable {
  /// The outcome for a file.
  public enum Status: String, Hashable, Sendable, CaseIterable, Codable {
    case converted, skipped, failed
    /// The file was written although part of it is missing, as requested by the options.
    case salvaged
  }

  /// One written picture.
  public struct Output: Hashable, Sendable, Codable {
    /// The path of the file, or the name that another destination returned.
    public var path: String
    /// The role of the picture among the outputs of its source.
    public var role: PictureRole
    /// The width in pixels; 0 if the output is not a picture.
    public var width: Int
    /// The height in pixels; 0 if the output is not a picture.
    public var height: Int
    /// The size of the output in bytes, including a gain map or video after the picture.
    public var bytes: Int
    /// The gain map, if it has one.
    public var gainMap: GainMap?

    public init(path: String, role: PictureRole, width: Int, height: Int, bytes: Int) {
      self.path = path
      self.role = role
      self.width = width
      self.height = height
      self.bytes = bytes
    }
  }

  /// The gain map of an output.
  public struct GainMap: Hashable, Sendable, Codable {
    /// The width of the map in samples.
    public var width: Int
    /// The height of the map in samples.
    public var height: Int
    /// The size of the coded map in bytes.
    public var bytes: Int
    /// The maximum brightness of the HDR picture relative to white.
    public var headroom: Double
    /// The source of the map's description.
    public var origin: GainMapOrigin

    public init(width: Int, height: Int, bytes: Int, headroom: Double, origin: GainMapOrigin) {
      self.width = width
      self.height = height
      self.bytes = bytes
      self.headroom = headroom
      self.origin = origin
    }
  }

  /// The video of a Live Photo, and its treatment.
  public struct Live: Hashable, Sendable, Codable {
    /// The treatment of the video.
    public enum Outcome: String, Hashable, Sendable, CaseIterable, Codable {
      /// The video is a file next to the output, byte for byte.
      case kept
      /// The video follows the picture in the output.
      case appended
      /// The video is not in the output.
      case dropped
    }

    /// The path of the file that contains the video.
    public var video: String
    /// The size of the video in bytes.
    public var bytes: Int
    /// The evidence that the video belongs to the picture.
    public var basis: LiveVideo.Basis
    /// The treatment of the video.
    public var outcome: Outcome
    /// The path of the video next to the output; `nil` if it was not written, or another file existed there.
    public var output: String?

    public init(
      video: String, bytes: Int, basis: LiveVideo.Basis, outcome: Outcome, output: String? = nil
    ) {
      self.video = video
      self.bytes = bytes
      self.basis = basis
      self.outcome = outcome
      self.output = output
    }
  }

  /// The name of the file, as in the request.
  public var input: String
  /// The result; `failed` until the file is finished.
  public var status = Status.failed
  /// The outputs that were written.
  public var outputs: [Output] = []
  /// Outputs that existed already and were kept.
  public var existing: [String] = []
  /// The size of the source in bytes.
  public var bytesIn = 0
  /// The time from the start of work on the file, in seconds.
  public var seconds = 0.0
  /// The warnings about the file and its outputs.
  public var warnings: [String] = []
  /// The error that the file failed with; `nil` unless the status is `failed`.
  public var failure: MediaError?
  /// The video of a Live Photo and its treatment; `nil` if none was looked for or found.
  public var live: Live?
  /// The contents of the file that the outputs lack, if the options ask for them.
  public var losses: [SourceHolding] = []
  /// The removal of the source, if it was requested.
  public var source: SourceRemoval?
  /// Whether the output is the input byte for byte, except for the announcement of a video after it.
  public var isCopied = false
  /// Whether the output was made from a thumbnail in the file.
  public var isEmbedded = false
  /// The decoders of its pictures, including those in first passes.
  public var decoders: [CodecUse] = []
  /// The encoders of the pictures of a HEIC, including accompanying ones.
  public var encoders: [CodecUse] = []
  /// The time spent decoding, in seconds, summed over the workers. Reading, planning and writing belong to none of the
  /// three stages.
  public var decodeSeconds = 0.0
  /// The time spent converting colours, in seconds, summed over the workers.
  public var convertSeconds = 0.0
  /// The time spent encoding, in seconds, summed over the workers.
  public var encodeSeconds = 0.0

  /// Creates the report of a file that has not been converted yet.
  public init(input: String) { self.input = input }
}

extension PhotoReport.Live {
  init(_ video: LiveVideo, _ outcome: Outcome) {
    self.init(video: video.path, bytes: video.extent.count, basis: video.basis, outcome: outcome)
  }
}
