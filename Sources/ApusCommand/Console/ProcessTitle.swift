// SPDX-License-Identifier: MIT

import ApusFiles
import Glibc

/// The command line as other users see it (`ps`, `/proc/PID/cmdline`).
enum ProcessTitle {
  /// Overwrites the keys and passwords of addresses in the memory that the system shows.
  static func hideSecrets() {
    let arguments = unsafe commandLineMemory()
    for index in 1..<max(arguments.count, 1) {
      guard let argument = unsafe arguments[index] else { continue }
      let count = unsafe strlen(argument)
      let bytes = unsafe UnsafeMutableBufferPointer(start: argument, count: count)
      var copy: [UInt8] = []
      for place in 0..<count { copy.append(UInt8(bitPattern: unsafe bytes[place])) }
      for range in SecretRanges.find(in: copy) {
        for place in range { unsafe bytes[place] = CChar(UInt8(ascii: "*")) }
      }
    }
  }
}

/// The ranges of a text that hold secrets: in all addresses passwords and parameters, in RTMP addresses also what follows
/// the app.
enum SecretRanges {
  static func find(in text: [UInt8]) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var start = 0
    while let (mark, hasKey) = address(in: text, from: start) {
      let end = text[mark...].firstIndex { $0 <= 0x20 || $0 == UInt8(ascii: "\"") } ?? text.count
      ranges += secrets(in: text, mark..<end, hasKey: hasKey)
      start = end
    }
    return ranges
  }

  /// Returns a message with its secrets masked.
  static func masked(_ text: String) -> String {
    var bytes = Array(text.utf8)
    for range in find(in: bytes).reversed() { bytes.replaceSubrange(range, with: "••••".utf8) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The schemes of addresses, and whether their path ends with a key.
  private static let schemes = [
    ("rtmp", true), ("rtmps", true), ("srt", false), ("rtsp", false), ("rtsps", false),
    ("http", false), ("https", false), ("rtp", false), ("udp", false),
  ].map { (Array("\($0)://".utf8), hasKey: $1) }

  /// Returns the index after the scheme of the next address, and whether its path ends with a key.
  private static func address(in text: [UInt8], from start: Int) -> (Int, hasKey: Bool)? {
    for index in start..<max(text.count, start) {
      let isLetter = index > 0 && (0x61...0x7a).contains(text[index - 1] | 0x20)
      for (scheme, hasKey) in schemes where !isLetter {
        let rest = text[index...].prefix(scheme.count)
        guard rest.count == scheme.count, zip(rest, scheme).allSatisfy({ $0 | 0x20 == $1 | 0x20 })
        else { continue }
        return (index + scheme.count, hasKey)
      }
    }
    return nil
  }

  private static func secrets(in text: [UInt8], _ range: Range<Int>, hasKey: Bool)
    -> [Range<Int>]
  {
    var ranges: [Range<Int>] = []
    let place = text[range]
    let pathStart = place.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") }
    let authority = place[..<(pathStart ?? range.upperBound)]
    if let sign = authority.lastIndex(of: UInt8(ascii: "@")),
      let colon = authority[..<sign].firstIndex(of: UInt8(ascii: ":"))
    {
      ranges.append(colon + 1..<sign)
    }
    guard let pathStart else { return ranges }
    guard hasKey, text[pathStart] == UInt8(ascii: "/") else {
      let query = place.firstIndex(of: UInt8(ascii: "?")) ?? range.upperBound
      return query < range.upperBound ? ranges + [query..<range.upperBound] : ranges
    }
    // Everything after the app: a key may hold slashes, and a token is in the query.
    let path = place[(pathStart + 1)...]
    let query = path.firstIndex(of: UInt8(ascii: "?")) ?? range.upperBound
    let key = path[..<query].firstIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? query
    if key < range.upperBound { ranges.append(key..<range.upperBound) }
    return ranges
  }
}
