// SPDX-License-Identifier: MIT

internal import Bytes
public import Media

/// What became of one file.
public struct PhotoReport: Sendable {
  public enum Status: String, Hashable, Sendable, CaseIterable {
    case converted, skipped, failed
    /// A file that was written although part of it is missing, because that was asked for.
    case salvaged
  }

  /// One picture that was written.
  public struct Output: Hashable, Sendable {
    public var path: String
    public var role: PictureRole
    public var width: Int
    public var height: Int
    public var bytes: Int
    /// What makes it an HDR picture, where something does.
    public var gainMap: GainMap?

    public init(path: String, role: PictureRole, width: Int, height: Int, bytes: Int) {
      self.path = path
      self.role = role
      self.width = width
      self.height = height
      self.bytes = bytes
    }
  }

  /// The gain map after a JPEG.
  public struct GainMap: Hashable, Sendable {
    public var width: Int
    public var height: Int
    public var bytes: Int
    /// How many times as bright as white the HDR picture becomes, at most.
    public var headroom: Double
    /// A word of `GainMapOrigin`.
    public var origin: String

    public init(width: Int, height: Int, bytes: Int, headroom: Double, origin: String) {
      self.width = width
      self.height = height
      self.bytes = bytes
      self.headroom = headroom
      self.origin = origin
    }
  }

  /// The video of a Live Photo, and what became of it.
  public struct Live: Hashable, Sendable {
    public enum Outcome: String, Hashable, Sendable, CaseIterable {
      /// A file beside the output, byte for byte.
      case kept
      /// Follows the picture, in the output.
      case appended
      /// Has no part in the output.
      case dropped
    }

    public var video: String
    public var bytes: Int
    public var basis: LiveVideo.Basis
    public var outcome: Outcome
    /// Its path beside the output; `nil` where it has none, or where another file was there before.
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

  public var input: String
  public var status = Status.failed
  public var outputs: [Output] = []
  public var bytesIn = 0
  /// The time that the file took from the moment a worker began with it, in seconds.
  public var seconds = 0.0
  public var warnings: [String] = []
  public var failure: MediaError?
  public var live: Live?
  /// What of the file is not in the outputs, where the options ask for that.
  public var losses: [SourceHolding] = []
  /// Whether the file was removed, where that was asked for.
  public var source: SourceRemoval?
  /// Whether the output is the input byte for byte, but for what announces a video after it.
  public var isCopied = false
  /// Whether a thumbnail was made from one that the file holds.
  public var isEmbedded = false
  /// The decoders of its pictures, those of first passes among them.
  public var decoders: [CodecUse] = []
  /// The encoders of the pictures of a HEIC, those that accompany its own among them.
  public var encoders: [CodecUse] = []
  /// Processor time by stage, summed over the workers: what `rest` leaves is reading, planning and writing.
  public var decodeSeconds = 0.0
  public var convertSeconds = 0.0
  public var encodeSeconds = 0.0

  public init(input: String) { self.input = input }
}

extension PhotoReport.Live {
  init(_ video: LiveVideo, _ outcome: Outcome) {
    self.init(video: video.path, bytes: video.extent.count, basis: video.basis, outcome: outcome)
  }
}
