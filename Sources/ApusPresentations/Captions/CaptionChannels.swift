// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import HEVC

/// The channels of closed captions that are used, found in the packets of pictures in decoding order, which is enough to
/// tell them.
struct CaptionChannels: Sendable {
  /// The captions of line 21, 1 to 4: ANSI/CTA-608.
  private(set) var lines: Set<Int> = []
  /// The services, 1 to 63: ANSI/CTA-708.
  private(set) var services: Set<Int> = []
  /// The bytes of a packet of services that is not complete.
  private var open: [UInt8] = []

  /// The values of `INSTREAM-ID`: RFC 8216, 4.3.4.1.
  var names: [String] {
    lines.sorted().map { "CC\($0)" } + services.sorted().map { "SERVICE\($0)" }
  }

  /// All values that there are.
  static let all: Set<String> = {
    var all = CaptionChannels()
    (all.lines, all.services) = (Set(1...4), Set(1...63))
    return Set(all.names)
  }()

  mutating func add(_ packets: [CaptionData.Packet]) {
    for packet in packets where packet.ccValid {
      switch packet.ccType {
      case 0, 1: addLine(packet)
      case 3:
        open = []
        addServices(packet)
      default: addServices(packet)
      }
    }
  }

  /// The first bytes of control codes for captions: those of the first and the second channel of a field. Each field has
  /// its own, but many writers use those of the first for both.
  private static let channels: [UInt8: Int] = [0x14: 0, 0x15: 0, 0x1c: 1, 0x1d: 1]
  /// The codes that choose a style: pop-on, roll-up of 2, 3 and 4 rows, paint-on.
  private static let styles: Set<UInt8> = [0x20, 0x25, 0x26, 0x27, 0x29]

  /// Takes a code that begins captions; text and data about the program are no captions.
  private mutating func addLine(_ packet: CaptionData.Packet) {
    // The highest bit is for parity.
    let (first, second) = (packet.ccData1 & 0x7f, packet.ccData2 & 0x7f)
    guard let channel = Self.channels[first], Self.styles.contains(second) else { return }
    lines.insert(Int(packet.ccType) * 2 + channel + 1)
  }

  /// Takes two bytes of a packet of services.
  private mutating func addServices(_ packet: CaptionData.Packet) {
    open += [packet.ccData1, packet.ccData2]
    guard let first = open.first, open.count >= CaptionServicePacket.size(from: first) else {
      return
    }
    let whole = CaptionServicePacket(reading: open)
    services.formUnion(whole?.blocks.compactMap(\.service) ?? [])
    open = []
  }
}
