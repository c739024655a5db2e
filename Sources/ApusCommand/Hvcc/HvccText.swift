// SPDX-License-Identifier: MIT

import ApusBytes
import ApusRecords

/// A record as text: a summary, then every field, including those of its parameter sets.
struct HvccText {
  /// The column of bytes next to the fields.
  var showsBytes = false
  var isFull = false
  var palette = Palette()

  func write<Output: TextOutputStream>(
    _ found: any ShownRecord, in source: any ByteSource, to output: inout Output
  ) throws {
    output.write(headline(of: found) + "\n")
    output.write("  \(found.summary)\n")
    let own = found.offset == nil ? MemorySource(found.bytes) : source
    try write(found.view(), source: own, to: &output)
    if let layer = try found.layer() {
      output.write(
        "  \(palette.type("lhvC"))\(palette.place(layer.offset.map { " @\($0)" } ?? "")) "
          + "\(layer.bytes.count) bytes\n")
      let own = layer.offset == nil ? MemorySource(layer.bytes) : source
      try write(layer.view, source: own, to: &output)
    }
  }

  private func headline(of found: any ShownRecord) -> String {
    var parts = [palette.type(found.place)]
    if let offset = found.offset { parts.append(palette.place("@\(offset)")) }
    parts.append("\(found.bytes.count) bytes")
    if !found.path.isEmpty { parts.append(found.users.isEmpty ? "unused" : found.usedBy) }
    parts.append(found.codecString)
    parts += found.supplementalCodecStrings.map { "(\($0))" }
    return parts.joined(separator: "  ")
  }

  private func write<Output: TextOutputStream>(
    _ view: RecordView, source: any ByteSource, to output: inout Output
  ) throws {
    let text = FieldText(
      column: showsBytes ? ByteColumn(source: source, isFull: isFull) : nil, isFull: isFull,
      palette: palette)
    try text.write(view.fields, indent: "  ", to: &output)
    for array in view.arrays {
      try text.write(array.preceding, indent: "  ", to: &output)
      output.write(
        "  \(palette.type(array.name))  \(array.units.count) "
          + (array.units.count == 1 ? "NAL unit" : "NAL units")
          + array.remark + "\n")
      if showsBytes { try text.write(array.fields, indent: "    ", to: &output) }
      for unit in array.units {
        output.write("    \(palette.type(unit.name))  ")
        output.write("\(unit.bytes.count) bytes\n")
        if showsBytes, let length = unit.length {
          try text.write([length], indent: "      ", to: &output)
        }
        try text.write(unit.fields, indent: "      ", to: &output)
        if let failure = unit.failure {
          output.write("      (cannot be read further: \(failure))\n")
        }
      }
    }
  }
}
