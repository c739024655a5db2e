// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia
internal import HEVC

/// The closed captions of decoded pictures on their way to the pictures that are encoded, of which there may be fewer or
/// more. Nothing but padding is lost, and nothing is repeated.
struct CaptionQueue {
  /// The packets that came with a picture, in the order of the pictures.
  private var waiting: [(time: RationalTime, packets: [CaptionData.Packet])] = []

  /// The most packets with one picture: `cc_count` has five bits.
  private static let most = 31

  /// Adds the captions of a decoded picture: three bytes for each packet.
  mutating func add(_ captions: [UInt8], at time: RationalTime) {
    let packets = stride(from: 0, to: captions.count, by: 3).compactMap {
      CaptionData.Packet(reading: captions[$0...].prefix(3))
    }
    if !packets.isEmpty { waiting.append((time, packets)) }
  }

  /// Returns the packets that belong to an encoded picture: those of all pictures until then.
  mutating func next(at time: RationalTime) -> [CaptionData.Packet] {
    let due = waiting.prefix { !time.isBefore($0.time) }
    guard let first = due.first else { return [] }
    waiting.removeFirst(due.count)
    if due.count == 1, first.packets.count <= Self.most { return first.packets }
    let packets = due.flatMap(\.packets).filter { !$0.isPadding }
    let rest = Array(packets.dropFirst(Self.most))
    if !rest.isEmpty { waiting.insert((time, rest), at: 0) }
    return Array(packets.prefix(Self.most))
  }
}

extension CaptionData.Packet {
  /// Whether the packet says nothing: it is not valid, or two zeros of a line (ANSI/CTA-608) with their parity.
  fileprivate var isPadding: Bool {
    !ccValid || ccType < 2 && ccData1 & 0x7f == 0 && ccData2 & 0x7f == 0
  }
}
