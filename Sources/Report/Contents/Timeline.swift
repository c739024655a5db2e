// SPDX-License-Identifier: MIT

/// The samples of a track over time, so many together as make a drawing.
public struct Timeline: Sendable {
  public enum PictureType: Int, CaseIterable, Sendable {
    case intra, predicted, bidirectional
    /// A picture that may not be decodable after its key frame was jumped to (RASL), or need not be (RADL).
    case leading
    case other
  }

  /// Samples that follow each other.
  public struct Bin: Sendable {
    public var count = 0
    public var bytes = 0
    public var largest = 0
    public var keys = 0
    /// The number of pictures of each type.
    public var types = [0, 0, 0, 0, 0]
    /// Seconds at which the first is decoded.
    public var time = 0.0

    public init() {}
  }

  /// A time in which nothing is to be seen or heard.
  public struct Gap: Sendable {
    /// Why samples are missing, as far as the file tells.
    public enum Cause: Sendable {
      /// Only this track has none: its samples were dropped.
      case dropped
      /// No track has any, and the stream goes on as it was.
      case interrupted
      /// No track has any, and the stream is set up again at the end.
      case reconnected
    }

    public var time: Double
    public var length: Double
    public var sample: Int
    public var cause: Cause?
  }

  /// Something else that happens to a live stream.
  public struct Event: Hashable, Sendable {
    public enum Kind: Sendable {
      /// Metadata or configurations come again, as when a publisher has connected anew.
      case setup
      /// A picture says that ones before it are missing (BLA).
      case brokenLink
    }

    public var kind: Kind
    /// Seconds from the first sample of the track.
    public var time: Double
  }

  /// The number of samples with this duration.
  public struct Duration: Sendable {
    public var seconds: Double
    public var count: Int
  }

  /// A picture with what it leans on, in decoding order.
  public struct Picture: Sendable {
    public var order: Int
    public var type: PictureType
    public var name: String
    public var layer: Int
    public var size: Int
    /// The places of the pictures that it may refer to, in decoding order.
    public var references: [Int]
    /// Which of the pictures it is shown as, counted from the first one of the drawing.
    public var shown: Int
  }

  public var name: String
  public var anchor: String?
  public var isVideo: Bool
  public var count = 0
  public var bytes = 0
  public var duration = 0.0
  /// Equally many samples in each.
  public var sizes: [Bin] = []
  public var samplesPerBin = 1
  /// The number of pictures that were read for their types.
  public var typed = 0
  /// Bits in a second, window by window.
  public var rates: [Double] = []
  public var window = 0.0
  /// Samples from one key sample to the next, at most; how many keys there are, and the time between them.
  public var keys = 0
  public var keyDistances: [Double] = []
  public var durations: [Duration] = []
  public var otherDurations = 0
  /// When the first sample is decoded, in seconds.
  public var start = 0.0
  public var gaps: [Gap] = []
  /// How many pictures of a recording are missing in each window; empty where none is, or where pictures do not last
  /// equally long.
  public var drops: [Int] = []
  public var events: [Event] = []
  public var omittedGaps = 0
  /// Seconds from decoding to showing, at the beginning.
  public var delays: [Double] = []
  public var pictures: [Picture] = []
  /// The positions of samples in the file: seconds and offset.
  public var places: [(time: Double, offset: Int)] = []

  public init(_ name: String, isVideo: Bool) {
    self.name = name
    self.isVideo = isVideo
  }
}
