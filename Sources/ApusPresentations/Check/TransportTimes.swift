// SPDX-License-Identifier: MIT

internal import ApusBytes

/// The time at which a segment of a transport stream begins to be shown, by its own clock: ISO/IEC 13818-1, 2.4.3.6.
struct TransportTimes {
  /// The least presentation time of pictures, and of sound, in units of 1/90000 s.
  private(set) var video: Int64?
  private(set) var sound: Int64?

  init(_ source: some ByteSource) throws(SyntaxError) {
    var position = 0
    while source.count - position >= Self.packet {
      let whole = min(source.count - position, Self.packet * 1024) / Self.packet * Self.packet
      let bytes = try source.bytes(in: position..<position + whole)
      for start in stride(from: 0, to: bytes.count, by: Self.packet) {
        read(bytes[start..<start + Self.packet])
      }
      position += whole
    }
  }

  private static let packet = 188

  private mutating func read(_ packet: ArraySlice<UInt8>) {
    let bytes = Array(packet)
    // A payload that begins here, after an optional adaptation field.
    guard bytes[0] == 0x47, bytes[1] & 0x40 != 0, bytes[3] & 0x10 != 0 else { return }
    let start = bytes[3] & 0x20 != 0 ? 5 + Int(bytes[4]) : 4
    guard start + 14 <= bytes.count, bytes[start..<start + 3].elementsEqual([0, 0, 1]),
      bytes[start + 7] & 0x80 != 0
    else { return }
    let digits = bytes[start + 9..<start + 14].map { Int64($0) }
    let time =
      (digits[0] >> 1 & 7) << 30 | digits[1] << 22 | (digits[2] >> 1) << 15 | digits[3] << 7
      | digits[4] >> 1
    switch bytes[start + 3] {
    case 0xe0...0xef: video = min(video ?? time, time)
    case 0xc0...0xdf, 0xbd: sound = min(sound ?? time, time)
    default: break
    }
  }

  /// The earliest time in microseconds; that of pictures if there are any.
  var start: Int64? { (video ?? sound).map { $0 * 100 / 9 } }
}
