// SPDX-License-Identifier: MIT

import ApusBytes

/// The bytes of a field in the file, eight per line: `0000009d  01 60 00 00 00 00 90 00`.
/// If a field has only some bits of its bytes, those bits follow: `00000042  21  [..1.....]`.
struct ByteColumn {
  var source: any ByteSource
  var isFull = false

  private static let perLine = 8
  private static let shownLines = 8

  func lines(of field: Field) throws(SyntaxError) -> [String] {
    let first = field.offset
    let end = min((field.position + field.bits + 7) / 8, source.count)
    guard first < end else { return [pad(address(first))] }
    let shown = isFull ? end - first : min(end - first, Self.perLine * Self.shownLines)
    let bytes = try source.bytes(in: first..<first + shown)
    var lines: [String] = []
    for start in stride(from: 0, to: bytes.count, by: Self.perLine) {
      let row = bytes[start..<min(start + Self.perLine, bytes.count)]
      let digits = row.map { $0.hexadecimal(width: 2) }
      lines.append(pad(address(first + start) + "  " + digits.joined(separator: " ")))
    }
    if field.position % 8 > 0 || field.bits % 8 > 0 { lines[0] = pad(bits(of: field, bytes)) }
    if first + shown < end { lines.append("          … \(end - first - shown) more bytes") }
    return lines
  }

  /// The bits of the field, with a dot for every other bit.
  private func bits(of field: Field, _ bytes: [UInt8]) -> String {
    let shown = bytes.prefix(2)
    let pattern = shown.indices.map { index in
      (0..<8).map { bit in
        let position = field.offset * 8 + index * 8 + bit
        guard field.range.contains(position) else { return "." }
        return bytes[index] & (0x80 >> UInt8(bit)) == 0 ? "0" : "1"
      }.joined()
    }.joined(separator: " ")
    return address(field.offset) + "  "
      + shown.map { $0.hexadecimal(width: 2) }.joined(separator: " ")
      + " [\(pattern)]"
  }

  private func address(_ offset: Int) -> String {
    offset.hexadecimal(width: 8)
  }

  private func pad(_ text: String) -> String {
    text + String(repeating: " ", count: max(0, 33 - text.count))
  }
}
