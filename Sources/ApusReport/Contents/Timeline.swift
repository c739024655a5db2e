// SPDX-License-Identifier: MIT

/// The samples of a track over time, combined into bins for drawing.
public struct Timeline: Sendable {
  /// The type of a picture by its references.
  public enum PictureType: Int, CaseIterable, Sendable {
    case intra, predicted, bidirectional
    /// A picture that may not be decodable after a jump to its key frame (RASL), or that other pictures do not need
    /// (RADL).
    case leading
    case other
  }

  /// Consecutive samples.
  public struct Bin: Sendable {
    /// The number of samples.
    public var count = 0
    /// The size of all samples in bytes.
    public var bytes = 0
    /// The size of the largest sample in bytes.
    public var largest = 0
    /// The number of key samples.
    public var keys = 0
    /// The number of pictures of each type.
    public var types = [0, 0, 0, 0, 0]
    /// The decoding time of the first, in seconds.
    public var time = 0.0

    /// Creates an empty bin.
    public init() {}
  }

  /// A period without pictures or sound.
  public struct Gap: Sendable {
    /// The reason why samples are missing, as far as the file shows it.
    public enum Cause: Sendable {
      /// Only this track has none: its samples were dropped.
      case dropped
      /// No track has any, and the stream continues without a new setup.
      case interrupted
      /// No track has any, and the stream is set up again at the end.
      case reconnected
    }

    /// The time in seconds at which it begins.
    public var time: Double
    /// The duration in seconds.
    public var length: Double
    /// The index of the first sample after it, from 0.
    public var sample: Int
    /// The reason; `nil` if the file does not show it.
    public var cause: Cause?
  }

  /// Another event of a live stream.
  public struct Event: Hashable, Sendable {
    /// The kind of the event.
    public enum Kind: Sendable {
      /// Metadata or configurations are repeated, as after a publisher has reconnected.
      case setup
      /// A picture marks earlier ones as missing (BLA).
      case brokenLink
    }

    /// The kind of the event.
    public var kind: Kind
    /// The time in seconds from the first sample of the track.
    public var time: Double
  }

  /// The number of samples with this duration.
  public struct Duration: Sendable {
    /// The duration in seconds.
    public var seconds: Double
    /// The number of samples with this duration.
    public var count: Int
  }

  /// A picture and its references, in decoding order.
  public struct Picture: Sendable {
    /// The picture order count.
    public var order: Int
    /// The type of the picture.
    public var type: PictureType
    /// The name of its NAL unit type, such as `TRAIL_R`.
    public var name: String
    /// The temporal sub-layer.
    public var layer: Int
    /// The size in bytes.
    public var size: Int
    /// The indices of the pictures to which it may refer, in decoding order.
    public var references: [Int]
    /// The index of the picture in presentation order, within the drawing.
    public var shown: Int
  }

  /// The name of the track.
  public var name: String
  /// The anchor of its box in the tree; `nil` if the page does not show it.
  public var anchor: String?
  /// Whether the track has pictures.
  public var isVideo: Bool
  /// The number of samples.
  public var count = 0
  /// The size of all samples in bytes.
  public var bytes = 0
  /// The duration in seconds.
  public var duration = 0.0
  /// The bins, with equally many samples in each.
  public var sizes: [Bin] = []
  /// The number of samples in each bin of `sizes`.
  public var samplesPerBin = 1
  /// The number of pictures that were read for their types.
  public var typed = 0
  /// The bit rate of each window, in bits per second.
  public var rates: [Double] = []
  /// The length of a window of `rates` and `drops`, in seconds.
  public var window = 0.0
  /// The number of key samples.
  public var keys = 0
  /// The times from one key sample to the next, in seconds; only the first ones of a long track.
  public var keyDistances: [Double] = []
  /// The durations of samples, the most frequent first; at most six.
  public var durations: [Duration] = []
  /// The number of samples with other durations.
  public var otherDurations = 0
  /// The decoding time of the first sample, in seconds.
  public var start = 0.0
  /// The periods without pictures or sound.
  public var gaps: [Gap] = []
  /// The number of missing pictures of a recording in each window; empty if none is missing, or if the durations of
  /// pictures vary.
  public var drops: [Int] = []
  /// The other events of a live stream, in order.
  public var events: [Event] = []
  /// The number of gaps that are not listed.
  public var omittedGaps = 0
  /// The time in seconds from decoding to presentation, at the beginning.
  public var delays: [Double] = []
  /// The first pictures with their references, in decoding order.
  public var pictures: [Picture] = []
  /// The positions of samples in the file: time in seconds, and offset.
  public var places: [(time: Double, offset: Int)] = []

  /// Creates a timeline without samples.
  public init(_ name: String, isVideo: Bool) {
    self.name = name
    self.isVideo = isVideo
  }
}
