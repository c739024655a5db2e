// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusRecords

/// The limits of the parts of a file that a page shows, and the notes about the rest.
struct OutlineBudget {
  private static let mostBoxes = 1600
  private static let mostFields = 4000
  private static let mostBytes = 36 << 10

  private var boxes = Self.mostBoxes
  private var fields = Self.mostFields
  private var bytes = Self.mostBytes
  private(set) var sentences: [String] = []

  /// The most bytes of a range that are all shown; of a longer one, only the first and the last are shown.
  private static let most = 96
  private static let first = 64
  private static let last = 16

  mutating func note(_ sentence: String) {
    if !sentences.contains(sentence) { sentences.append(sentence) }
  }

  mutating func takesBox() -> Bool {
    boxes -= 1
    if boxes < 0 { note("The tree is limited to \(Self.mostBoxes) boxes; apus inspect shows all.") }
    return boxes >= 0
  }

  mutating func takes(fields count: Int) -> Bool {
    guard fields >= count else {
      note("Fields are limited to \(Self.mostFields); apus inspect --path shows those of any box.")
      return false
    }
    fields -= count
    return true
  }

  /// Returns the bytes of fields, parts of those of long ones.
  mutating func runs(of rows: [ReportField], from source: any ByteSource, end: Int)
    throws(SyntaxError) -> [ByteRun]
  {
    var runs: [ByteRun] = []
    var ranges: [Range<Int>] = []
    for row in rows where !row.isOmission {
      let range = row.position / 8..<min((row.position + row.bits + 7) / 8, end)
      guard !range.isEmpty else { continue }
      guard range.count > Self.most else {
        ranges.append(range)
        continue
      }
      note("Long byte values are shortened to the first \(Self.first) and the last \(Self.last).")
      ranges.append(range.prefix(Self.first))
      ranges.append(range.suffix(Self.last))
    }
    for range in Self.joined(ranges) {
      guard bytes >= range.count else {
        note(
          "Bytes are limited to \(Self.mostBytes >> 10) KiB; apus inspect --hex shows those of any box."
        )
        break
      }
      bytes -= range.count
      runs.append(ByteRun(range.lowerBound, try source.bytes(in: range)))
    }
    return runs
  }

  /// Adds the NAL units of a configuration record to the structure that contains it, as far as they fit.
  mutating func add(_ view: RecordView, to box: inout ReportBox, names: inout AnchorNames) {
    for unit in view.arrays.flatMap(\.units) {
      guard let offset = unit.fields.first?.offset else { continue }
      let shown = NALUnitOutline(
        unit.name, unit.bytes, unit.fields, at: offset, failure: unit.failure,
        anchor: names.name("\(box.anchor)/\(unit.name)"))
      guard takes(fields: shown.box.fields.count) else { continue }
      box.children.append(shown.box)
      box.escapes += shown.escapes
    }
  }

  private static func joined(_ ranges: [Range<Int>]) -> [Range<Int>] {
    var result: [Range<Int>] = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = result.last, range.lowerBound <= last.upperBound {
        result[result.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
      } else {
        result.append(range)
      }
    }
    return result
  }

  /// Returns the same bytes in file order, without repetitions.
  static func merged(_ runs: [ByteRun]) -> [ByteRun] {
    var result: [ByteRun] = []
    for run in runs.sorted(by: { $0.start < $1.start }) {
      guard let last = result.last, run.start <= last.range.upperBound else {
        result.append(run)
        continue
      }
      let more = run.bytes.dropFirst(last.range.upperBound - run.start)
      result[result.count - 1].bytes += more
    }
    return result
  }
}
