// SPDX-License-Identifier: MIT

/// A map of the file: the top-level structures, and the bytes of each track and item.
public struct FileMap: Sendable {
  /// A top-level structure of the file.
  public struct Segment: Sendable {
    /// The anchor of its structure in the tree; `nil` if there is none.
    public var anchor: String?
    /// The type of the box, or a name for other structures.
    public var type: String
    /// Its bytes in the file.
    public var range: Range<Int>

    /// Creates a segment from a structure and its place.
    public init(_ type: String, _ range: Range<Int>, anchor: String?) {
      self.type = type
      self.range = range
      self.anchor = anchor
    }
  }

  /// The bytes of one track, or of items of one kind, as the share of each bin that they take.
  public struct Lane: Sendable {
    /// The name of the track, or of the kind of items.
    public var name: String
    /// The anchor of its box in the tree; `nil` if the page does not show it.
    public var anchor: String?
    /// The total number of its bytes in the file.
    public var bytes: Int
    /// The number of bytes in each bin.
    public var bins: [Int]

    /// Creates a lane, with one number for each bin.
    public init(_ name: String, bytes: Int, bins: [Int], anchor: String? = nil) {
      self.name = name
      self.anchor = anchor
      self.bytes = bytes
      self.bins = bins
    }
  }

  /// The size of the file in bytes.
  public var size = 0
  /// The top-level structures in file order.
  public var segments: [Segment] = []
  /// The number of top-level structures that are not listed.
  public var omittedSegments = 0
  /// The number of bytes that one bin of a lane represents.
  public var binSize = 1
  /// The tracks and kinds of items, each with its bytes.
  public var lanes: [Lane] = []
  /// The number of bytes of media data that no sample and no item uses, in each bin.
  public var holes: [Int] = []
  /// The number of bytes that are used more than once, in each bin.
  public var shared: [Int] = []
  /// A remark on the order, such as `moov` last.
  public var remarks: [String] = []

  /// Creates an empty map.
  public init() {}

  /// The number of bytes of media data that nothing uses.
  public var holeBytes: Int { holes.reduce(0, +) }
  /// The number of bytes that are used more than once.
  public var sharedBytes: Int { shared.reduce(0, +) }
}
