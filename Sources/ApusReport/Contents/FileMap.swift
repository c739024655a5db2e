// SPDX-License-Identifier: MIT

/// A map of the file: the top-level structures, and the bytes of each track and item.
public struct FileMap: Sendable {
  public struct Segment: Sendable {
    public var anchor: String?
    public var type: String
    public var range: Range<Int>

    public init(_ type: String, _ range: Range<Int>, anchor: String?) {
      self.type = type
      self.range = range
      self.anchor = anchor
    }
  }

  /// The bytes of one track, or of items of one kind, as the share of each bin that they take.
  public struct Lane: Sendable {
    public var name: String
    public var anchor: String?
    public var bytes: Int
    /// The number of bytes in each bin.
    public var bins: [Int]

    public init(_ name: String, bytes: Int, bins: [Int], anchor: String? = nil) {
      self.name = name
      self.anchor = anchor
      self.bytes = bytes
      self.bins = bins
    }
  }

  public var size = 0
  public var segments: [Segment] = []
  public var omittedSegments = 0
  /// The number of bytes that one bin of a lane represents.
  public var binSize = 1
  public var lanes: [Lane] = []
  /// The number of bytes of media data that no sample and no item uses, in each bin.
  public var holes: [Int] = []
  /// The number of bytes that are used more than once, in each bin.
  public var shared: [Int] = []
  /// A remark on the order, such as `moov` last.
  public var remarks: [String] = []

  public init() {}

  public var holeBytes: Int { holes.reduce(0, +) }
  public var sharedBytes: Int { shared.reduce(0, +) }
}
