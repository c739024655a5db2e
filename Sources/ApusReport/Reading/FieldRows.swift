// SPDX-License-Identifier: MIT

internal import ApusBytes

/// Makes the rows of a structure: each leaf with its full name, and the first and last elements of long lists and
/// tables.
struct FieldRows {
  private(set) var rows: [ReportField] = []
  /// Returns the meaning of a value.
  let meaning: (Field) -> String?

  /// The maximum number of elements of a list that are all shown.
  private static let most = 32
  private static let first = 24
  private static let last = 4
  /// The maximum number of characters shown of a value.
  private static let width = 160

  init(_ fields: [Field], meaning: @escaping (Field) -> String? = { _ in nil }) {
    self.meaning = meaning
    for field in fields { add(field, field.name) }
  }

  private mutating func add(_ field: Field, _ name: String) {
    switch field.value {
    case .group(let fields):
      for inner in fields { add(inner, "\(name).\(inner.name)") }
    case .list(let items):
      for (index, item) in sampled(items, name) { add(element: item, "\(name)[\(index)]") }
    case .table(let table): addRows(of: table, field, name)
    default:
      guard field.bits > 0 else { return }
      let text = field.text
      let isLong = text.utf8.count > Self.width * 2
      var row = ReportField(
        name, isLong ? String(text.prefix(Self.width)) + "…" : text, position: field.position,
        bits: field.bits)
      row.meaning = meaning(field)
      rows.append(row)
    }
  }

  private mutating func add(element: Field, _ name: String) {
    guard case .group(let fields) = element.value else { return add(element, name) }
    for inner in fields { add(inner, "\(name).\(inner.name)") }
  }

  /// Returns the elements that are shown; those left out are represented by a row after the last one before them.
  private mutating func sampled(_ items: [Field], _ name: String) -> [(Int, Field)] {
    guard items.count > Self.most else { return Array(items.enumerated()) }
    let end = items.count - Self.last
    let (from, to) = (items[Self.first].position, items[end].position)
    omit(Self.first..<end, name, from, to - from)
    let indices = Array(0..<Self.first) + Array(end..<items.count)
    return indices.map { ($0, items[$0]) }
  }

  private mutating func omit(_ range: Range<Int>, _ name: String, _ position: Int, _ bits: Int) {
    var row = ReportField(
      "\(name)[\(range.lowerBound)…\(range.upperBound - 1)]", "\(range.count) more",
      position: position, bits: bits)
    row.isOmission = true
    rows.append(row)
  }

  private mutating func addRows(of table: Table, _ field: Field, _ name: String) {
    let width = table.rowBits
    guard width > 0, table.count > 0 else { return }
    var indices = Array(0..<table.count.clamped(to: Self.most))
    if table.count > Self.most {
      let end = table.count - Self.last
      indices = Array(0..<Self.first) + Array(end..<table.count)
      omit(
        Self.first..<end, name, field.position + Self.first * width, (end - Self.first) * width)
    }
    for index in indices {
      guard let values = try? table.row(index) else { return }
      var position = field.position + index * width
      for (column, value) in zip(table.columns, values) {
        let isSigned = column.kind == .signed
        let cell = Field(
          name: column.name,
          value: isSigned ? .signed(value) : .number(UInt64(bitPattern: value)),
          kind: column.kind, position: position, bits: column.bits)
        position += column.bits
        var row = ReportField(
          "\(name)[\(index)].\(column.name)", cell.text, position: cell.position, bits: cell.bits)
        row.meaning = meaning(cell)
        rows.append(row)
      }
    }
  }
}

extension Int {
  fileprivate func clamped(to most: Int) -> Int { Swift.min(self, most) }
}
