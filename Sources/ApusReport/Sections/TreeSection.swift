// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusFacts

/// The tree of the file with fields and bytes, which link to each other.
struct TreeSection: PageSection {
  let contents: ReportContents
  let place: PlaceNames

  var id: String { place("tree") }
  var title: String { "Structure, fields and bytes" }
  var isEmpty: Bool { contents.boxes.isEmpty }

  func write(to html: inout HTMLWriter) {
    html.note(
      "Open a structure to see its fields and bytes. Emulation prevention bytes, which prevent false start codes, "
        + "are underlined; they are not part of any field.")
    for sentence in contents.omissions { html.note(sentence) }
    html.element("div", [.class("tree")]) { html in
      for box in contents.boxes { write(box, to: &html) }
    }
  }

  private func write(_ box: ReportBox, to html: inout HTMLWriter) {
    guard box.kind != .omission else {
      html.element("p", [.class("note gap"), .id(place(box.anchor))], box.title ?? "")
      return
    }
    let isSmall = contents.boxes.count == 1 && box.anchor == contents.boxes[0].anchor
    var attributes: [HTMLAttribute] = [
      .class(box.kind == .unit ? "box unit" : "box"), .id(place(box.anchor)),
      .number("data-s", box.start), .number("data-n", box.size),
    ]
    if isSmall { attributes.append(.flag("open")) }
    html.element("details", attributes) { html in
      html.element("summary") { html in
        html.element("code", [.class("type")], box.type)
        if let title = box.title { html.element("span", [.class("what")], title) }
        html.element(
          "span", [.class("at")],
          "\(PlaceText.hexadecimal(box.start)) · \(Quantity.bytes(box.size))")
      }
      html.element("div", [.class("body")]) { html in
        let about = [box.clause, box.note].compactMap(\.self)
        if !about.isEmpty { html.note(about.joined(separator: " · ")) }
        if !box.fields.isEmpty || !box.bytes.isEmpty {
          html.element("div", [.class("pair")]) { html in
            if !box.fields.isEmpty { writeFields(of: box, to: &html) }
            if !box.bytes.isEmpty { writeBytes(of: box, to: &html) }
          }
        }
        for child in box.children { write(child, to: &html) }
      }
    }
    html.line()
  }

  private func writeFields(of box: ReportBox, to html: inout HTMLWriter) {
    html.element("table", [.class("fields")]) { html in
      html.element("caption", [.class("hidden")], "Fields of \(box.type)")
      html.element("thead") { html in
        html.element("tr") { html in
          for name in ["Byte", "Bits", "Field", "Value"] {
            html.element("th", [.word("scope", "col")], name)
          }
        }
      }
      html.element("tbody") { html in
        for field in box.fields { write(field, of: box, to: &html) }
      }
    }
  }

  private func write(_ field: ReportField, of box: ReportBox, to html: inout HTMLWriter) {
    var attributes: [HTMLAttribute] = []
    if field.isOmission { attributes.append(.class("gap")) }
    attributes += [
      .number("data-p", field.position - box.start * 8), .number("data-n", field.bits),
    ]
    html.open("tr", attributes)
    let bit = field.position % 8
    html.cell(
      PlaceText.hexadecimal(field.position / 8) + (bit > 0 || field.bits % 8 > 0 ? ".\(bit)" : ""))
    html.cell("\(field.bits)")
    html.cell(field.name)
    html.cell(field.value)
    if let meaning = field.meaning { html.element("i", meaning) }
  }

  // MARK: - Bytes

  private static let perLine = 8

  private func writeBytes(of box: ReportBox, to html: inout HTMLWriter) {
    let escapes = Set(box.escapes)
    html.element(
      "pre", [.class("hex"), .label("Bytes of \(box.type)"), .number("tabindex", 0)]
    ) { html in
      var end: Int?
      for run in box.bytes {
        if let end, run.start > end { html.text("          … \(run.start - end) bytes\n") }
        for start in stride(from: 0, to: run.bytes.count, by: Self.perLine) {
          let row = run.bytes[start..<min(start + Self.perLine, run.bytes.count)]
          writeLine(row, at: run.start + start, escapes, to: &html)
        }
        end = run.range.upperBound
      }
    }
  }

  private func writeLine(
    _ row: ArraySlice<UInt8>, at offset: Int, _ escapes: Set<Int>, to html: inout HTMLWriter
  ) {
    html.text(offset.hexadecimal(width: 8) + " ")
    if escapes.isEmpty
      || !row.indices.contains(where: { escapes.contains(offset + $0 - row.startIndex) })
    {
      html.text(row.map { " " + $0.hexadecimal(width: 2) }.joined())
    } else {
      for (index, byte) in row.enumerated() {
        html.text(" ")
        if escapes.contains(offset + index) {
          html.element("u", byte.hexadecimal(width: 2))
        } else {
          html.text(byte.hexadecimal(width: 2))
        }
      }
    }
    let rest = String(repeating: "   ", count: Self.perLine - row.count)
    let text = row.map { (0x20..<0x7f).contains($0) ? String(Unicode.Scalar($0)) : "." }.joined()
    html.text("\(rest)  \(text)\n")
  }
}
