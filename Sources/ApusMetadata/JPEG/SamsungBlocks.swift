// SPDX-License-Identifier: MIT

public import ApusBytes

/// The data that Samsung's phones append to a JPEG: named blocks, and a directory of them (`SEFH` … `SEFT`) at the end
/// of the file.
public struct SamsungBlocks: Sendable {
  /// A named block of data.
  public struct Block: Hashable, Sendable {
    /// The name, such as `MotionPhoto_Data` or `DualShot_DepthMap_1`.
    public var name: String
    /// The range of the block's data in the file, after its name.
    public var range: Range<Int>
    /// The range of the whole block.
    var whole: Range<Int>
    /// The range of its entry in the directory.
    var entry: Range<Int>
  }

  /// The blocks in the order of the directory; entries that contradict the file are omitted.
  public private(set) var blocks: [Block] = []
  /// The range of all blocks and the directory.
  public private(set) var range: Range<Int>
  /// The offset of the directory.
  private let directory: Int
  /// The number of entries in it.
  private let count: Int

  /// Reads the blocks; `nil` if the file does not end with a directory.
  public init?(of source: any ByteSource) throws(SyntaxError) {
    let size = source.count
    guard size >= 8 else { return nil }
    let tail = try source.bytes(in: size - 8..<size)
    guard tail.suffix(4).elementsEqual("SEFT".utf8) else { return nil }
    let length = Int(littleEndianBytes: tail.prefix(4))
    guard length >= 12, length <= min(size - 8, 1 << 20) else { return nil }
    let start = size - 8 - length
    let list = try source.bytes(in: start..<size - 8)
    guard list.starts(with: "SEFH".utf8) else { return nil }
    directory = start
    count = Int(littleEndianBytes: list[8..<12])
    range = start..<size
    for index in 0..<min(count, (length - 12) / 12) {
      let place = 12 + 12 * index
      let entry = list[place...].prefix(12)
      // The offset is relative to the directory, backwards.
      let back = Int(littleEndianBytes: entry.dropFirst(4).prefix(4))
      let bytes = Int(littleEndianBytes: entry.dropFirst(8).prefix(4))
      guard back <= start, bytes >= 8, bytes <= back else { continue }
      range = min(range.lowerBound, start - back)..<size
      let head = try source.bytes(in: start - back..<start - back + 8)
      let named = Int(littleEndianBytes: head.dropFirst(4).prefix(4))
      guard named <= min(bytes - 8, 256) else { continue }
      let name = try source.bytes(in: start - back + 8..<start - back + 8 + named)
      blocks.append(
        Block(
          name: String(decoding: name, as: UTF8.self),
          range: start - back + 8 + named..<start - back + bytes,
          whole: start - back..<start - back + bytes,
          entry: start + place..<start + place + 12))
    }
  }

  /// Returns the changes to the file that remove the blocks of a name with their entries, and correct the directory.
  public func changes(without name: String) -> [(range: Range<Int>, bytes: [UInt8])] {
    let gone = blocks.filter { $0.name == name }
    guard !gone.isEmpty else { return [] }
    var pieces: [(range: Range<Int>, bytes: [UInt8])] = gone.flatMap {
      [($0.whole, []), ($0.entry, [])]
    }
    let number = { (place: Int, value: Int) in
      (place..<place + 4, ByteOrder.little.bytes(UInt32(clamping: value)))
    }
    pieces.append(number(directory + 8, count - gone.count))
    for block in blocks where block.name != name {
      let later = gone.filter { $0.whole.lowerBound > block.whole.lowerBound }
      let distance = directory - block.whole.lowerBound - later.reduce(0) { $0 + $1.whole.count }
      pieces.append(number(block.entry.lowerBound + 4, distance))
    }
    pieces.append(number(range.upperBound - 8, range.upperBound - 8 - directory - 12 * gone.count))
    return pieces
  }
}
