// SPDX-License-Identifier: MIT

/// The samples of a track over time, combined into bins for drawing.
public struct Timeline: Sendable {
  public enum PictureType: Int, CaseIterable, Sendable {
    case intra, predicted, bidirectional
    /// A picture that may not be decodable after a jump to its key frame (RASL), or that other pictures do not need
    /// (RADL).
    case leading
    case other
  }

  /// Consecutive samples.
  public struct Bin: Sendable {
    public var count = 0
    public var bytes = 0
    public var largest = 0
    public var keys = 0
    /// The number of pictures of each type.
    public var types = [0, 0, 0, 0, 0]
    /// The decoding time of the first, in seconds.
    public var time = 0.0

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

    public var time: Double
    public var length: Double
    public var sample: Int
    public var cause: Cause?
  }

  /// Another event of a live stream.
  public struct Event: Hashable, Sendable {
    public enum Kind: Sendable {
      /// Metadata or configurations are repeated, as after a publisher has reconnected.
      case setup
      /// A picture marks earlier ones as missing (BLA).
      case brokenLink
    }

    public var kind: Kind
    /// The time in seconds from the first sample of the track.
    public var time: Double
  }

  /// The number of samples with this duration.
  public struct Duration: Sendable {
    public var seconds: Double
    public var count: Int
  }

  /// A picture and its references, in decoding order.
  public struct Picture: Sendable {
    public var order: Int
    public var type: PictureType
    public var name: String
    public var layer: Int
    public var size: Int
    /// The indices of the pictures to which it may refer, in decoding order.
    public var references: [Int]
    /// The index of the picture in presentation order, within the drawing.
    public var shown: Int
  }

  public var name: String
  public var anchor: String?
  public var isVideo: Bool
  public var count = 0
  public var bytes = 0
  public var duration = 0.0
  /// The bins, with equally many samples in each.
  public var sizes: [Bin] = []
  public var samplesPerBin = 1
  /// The number of pictures that were read for their types.
  public var typed = 0
  /// The bit rate of each window, in bits per second.
  public var rates: [Double] = []
  public var window = 0.0
  /// The most samples from one key sample to the next, the number of key samples, and the times between them.
  public var keys = 0
  public var keyDistances: [Double] = []
  public var durations: [Duration] = []
  public var otherDurations = 0
  /// The decoding time of the first sample, in seconds.
  public var start = 0.0
  public var gaps: [Gap] = []
  /// The number of missing pictures of a recording in each window; empty if none is missing, or if the durations of
  /// pictures vary.
  public var drops: [Int] = []
  public var events: [Event] = []
  public var omittedGaps = 0
  /// The time in seconds from decoding to presentation, at the beginning.
  public var delays: [Double] = []
  public var pictures: [Picture] = []
  /// The positions of samples in the file: time in seconds, and offset.
  public var places: [(time: Double, offset: Int)] = []

  public init(_ name: String, isVideo: Bool) {
    self.name = name
    self.isVideo = isVideo
  }
}
