// SPDX-License-Identifier: MIT

/// JPEGs of one or two blocks in gray, whose codes are written as zeros and ones.
enum SmallJPEG {
  static func sequential(_ codes: String) -> [UInt8] {
    let dc = table(0x00, [1: [0], 2: [12]])
    let ac = table(0x10, [1: [0x00], 2: [0xF1], 3: [0xF0], 4: [0xE1], 5: [0x20], 6: [0x0B]])
    return file([quantizers, frame(0xC0, width: 16), dc, ac, scan(0, 63, 0, codes)])
  }

  /// - Parameter scans: the first and the last coefficient, the bit positions, and the codes.
  static func progressive(_ scans: [(Int, Int, Int, String)]) -> [UInt8] {
    let dc = table(0x00, [1: [0]])
    let ac = table(0x10, [1: [0x00], 2: [0x10], 3: [0x41], 4: [0x51]])
    let all = [(0, 0, 0, "0")] + scans
    return file(
      [quantizers, frame(0xC2, width: 8), dc, ac] + all.map { scan($0.0, $0.1, $0.2, $0.3) })
  }

  private static func file(_ segments: [[UInt8]]) -> [UInt8] {
    [0xFF, 0xD8] + segments.flatMap(\.self) + [0xFF, 0xD9]
  }

  private static let quantizers = [0xFF, 0xDB, 0, 67, 0] + [UInt8](repeating: 1, count: 64)

  private static func frame(_ marker: UInt8, width: UInt8) -> [UInt8] {
    [0xFF, marker, 0, 11, 8, 0, 8, 0, width, 1, 1, 0x11, 0]
  }

  /// - Parameter symbols: by the lengths of their codes.
  private static func table(_ place: UInt8, _ symbols: [Int: [UInt8]]) -> [UInt8] {
    let lists = (1...16).map { symbols[$0] ?? [] }
    let body = [place] + lists.map { UInt8($0.count) } + lists.flatMap(\.self)
    return [0xFF, 0xC4, 0, UInt8(body.count + 2)] + body
  }

  private static func scan(_ first: Int, _ last: Int, _ bits: Int, _ codes: String) -> [UInt8] {
    var codes = codes.filter { $0 != " " }
    codes += String(repeating: "1", count: (8 - codes.count % 8) % 8)
    var data: [UInt8] = []
    while !codes.isEmpty {
      let byte = codes.prefix(8).reduce(UInt8(0)) { $0 << 1 | ($1 == "1" ? 1 : 0) }
      data += byte == 0xFF ? [0xFF, 0] : [byte]
      codes.removeFirst(8)
    }
    return [0xFF, 0xDA, 0, 8, 1, 1, 0, UInt8(first), UInt8(last), UInt8(bits)] + data
  }
}
