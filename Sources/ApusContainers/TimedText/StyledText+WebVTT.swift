// SPDX-License-Identifier: MIT

internal import ApusBytes

extension StyledText {
  /// The text as a cue of WebVTT: W3C WebVTT, 4.2. Colours that have no class there are left out, and so are empty
  /// lines, which would end the cue.
  var webVTT: String {
    var result = ""
    var open = Style()
    for letter in letters where !(letter.scalar == "\n" && result.last == "\n") {
      if letter.style != open {
        result += open.ends + letter.style.begins
        open = letter.style
      }
      switch letter.scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\u{200e}": result += "&lrm;"
      case "\u{200f}": result += "&rlm;"
      default: result.unicodeScalars.append(letter.scalar)
      }
    }
    return result + open.ends
  }

  /// Reads a sample of timed text: 3GPP TS 26.245, 5.17. Parts that are cut off are left out.
  init(sample: [UInt8]) {
    guard sample.count > 2 else { return }
    let count = min(Int(bigEndianBytes: sample[0..<2]), sample.count - 2)
    let text = sample[2..<2 + count]
    var styles: [(range: Range<Int>, style: Style)] = []
    var position = 2 + count
    while sample.count - position >= 8 {
      let size = Int(bigEndianBytes: sample[position..<position + 4])
      guard size >= 8, size <= sample.count - position else { break }
      if sample[position + 4..<position + 8].elementsEqual("styl".utf8) {
        styles += Self.styles(sample[position + 8..<position + size])
      }
      position += size
    }
    let scalars =
      text.starts(with: [0xfe, 0xff])
      ? String(decoding: Self.wide(text.dropFirst(2)), as: UTF16.self).unicodeScalars
      : String(decoding: text, as: UTF8.self).unicodeScalars
    for (index, scalar) in scalars.enumerated() where scalar != "\r" && scalar != "\0" {
      append(scalar, styles.first { $0.range.contains(index) }?.style ?? Style())
    }
    self = trimmed()
  }

  private static func styles(_ bytes: ArraySlice<UInt8>) -> [(range: Range<Int>, style: Style)] {
    guard bytes.count >= 2 else { return [] }
    var result: [(Range<Int>, Style)] = []
    var rest = bytes.dropFirst(2)
    for _ in 0..<Int(bigEndianBytes: bytes.prefix(2)) {
      guard rest.count >= 12 else { break }
      let entry = Array(rest.prefix(12))
      let (start, end) = (Int(bigEndianBytes: entry[0..<2]), Int(bigEndianBytes: entry[2..<4]))
      var style = Style()
      style.face = Style.Face(rawValue: entry[6] & 7)
      style.colour = UInt32(bigEndianBytes: entry[8..<12])
      if start < end { result.append((start..<end, style)) }
      rest = rest.dropFirst(12)
    }
    return result
  }

  private static func wide(_ bytes: ArraySlice<UInt8>) -> [UInt16] {
    let bytes = Array(bytes)
    return stride(from: 0, to: bytes.count - 1, by: 2).map {
      UInt16(bigEndianBytes: bytes[$0..<$0 + 2])
    }
  }
}

extension StyledText.Style {
  fileprivate var begins: String { tags.map { "<\($0)>" }.joined() }

  fileprivate var ends: String {
    tags.reversed().map { "</\($0.prefix { $0 != "." })>" }.joined()
  }

  private var tags: [String] {
    var tags: [String] = []
    if let name = colour.flatMap({ Self.classes[$0 >> 8] }) { tags.append("c.\(name)") }
    if face.contains(.bold) { tags.append("b") }
    if face.contains(.italic) { tags.append("i") }
    if face.contains(.underlined) { tags.append("u") }
    return tags
  }

  /// The colours that have a class: W3C WebVTT, 5.1. White is omitted, because text without a class is white.
  private static let classes: [UInt32: String] = [
    0x00ff00: "lime", 0x00ffff: "cyan", 0xff0000: "red", 0xffff00: "yellow", 0xff00ff: "magenta",
    0x0000ff: "blue", 0x000000: "black",
  ]
}
