// SPDX-License-Identifier: MIT

internal import ApusBytes

/// The frames of bare sound, each of which declares its size.
enum SoundFrames: Sendable {
  /// ISO/IEC 14496-3, 1.A.2.
  case adts
  /// ISO/IEC 11172-3, 2.4.1.3, and ISO/IEC 13818-3.
  case mpeg
  /// ETSI TS 102 366, 4.4.1 and E.1.3.1.
  case dolby

  /// The number of bytes in the longest header, up to the size.
  static let longestHeader = 10

  /// Returns the size of the frame that begins there; `nil` if none does, 0 if it does not declare its size.
  func size(_ bytes: Span<UInt8>) -> Int? {
    guard bytes.count >= 7 else { return nil }
    switch self {
    case .adts:
      guard bytes[0] == 0xff, bytes[1] & 0xf6 == 0xf0 else { return nil }
      let size = Int(bytes[3] & 3) << 11 | Int(bytes[4]) << 3 | Int(bytes[5] >> 5)
      return size >= 7 ? size : nil
    case .mpeg: return Self.mpeg(bytes)
    case .dolby: return Self.dolby(bytes)
    }
  }

  /// Returns the size of the frame at an offset of a file.
  func size(in source: any ByteSource, at offset: Int) throws -> Int? {
    guard offset < source.count else { return nil }
    let end = min(source.count, offset + Self.longestHeader)
    let header = try source.bytes(in: offset..<end)
    return size(header.span)
  }

  /// Kilobits per second of MPEG-1's layers I, II and III, and of MPEG-2's layer I and its others.
  private static let rates = [
    [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
    [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
    [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
    [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
    [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
  ]
  private static let frequencies = [44100, 48000, 32000]

  private static func mpeg(_ bytes: Span<UInt8>) -> Int? {
    let (version, layer) = (Int(bytes[1] >> 3 & 3), 4 - Int(bytes[1] >> 1 & 3))
    let (index, frequency) = (Int(bytes[2] >> 4), Int(bytes[2] >> 2 & 3))
    guard bytes[0] == 0xff, bytes[1] & 0xe0 == 0xe0, version != 1, layer < 4, index < 15,
      frequency < 3
    else { return nil }
    guard index > 0 else { return 0 }
    let isFirst = version == 3
    let row = isFirst ? layer - 1 : layer == 1 ? 3 : 4
    let rate = frequencies[frequency] >> (isFirst ? 0 : version == 2 ? 1 : 2)
    let padding = Int(bytes[2] >> 1 & 1)
    if layer == 1 { return (12000 * rates[row][index - 1] / rate + padding) * 4 }
    return (layer == 3 && !isFirst ? 72000 : 144_000) * rates[row][index - 1] / rate + padding
  }

  /// Kilobits per second of AC-3.
  private static let dolbyRates = [
    32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 576, 640,
  ]

  private static func dolby(_ bytes: Span<UInt8>) -> Int? {
    guard bytes[0] == 0x0b, bytes[1] == 0x77 else { return nil }
    guard bytes[5] >> 3 <= 10 else {
      return (Int(bigEndianBytes: bytes, at: 2, count: 2) & 0x7ff + 1) * 2
    }
    let (frequency, code) = (Int(bytes[4] >> 6), Int(bytes[4] & 63))
    guard frequency < 3, code < 38 else { return nil }
    let rate = dolbyRates[code / 2]
    switch frequency {
    case 0: return rate * 4
    case 1: return (rate * 96000 / 44100 + code & 1) * 2
    default: return rate * 6
    }
  }
}
