// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusRecords
internal import ApusSamples
internal import FLV
internal import HEVC

/// Makes the tree of a file without boxes: the tags of Flash Video, the NAL units of a bare stream.
struct StreamOutline {
  private(set) var boxes: [ReportBox] = []
  private var budget = OutlineBudget()
  private let source: any ByteSource
  private var omitted = 0
  private var names = AnchorNames()

  private static let most = 120

  var omissions: [String] {
    guard omitted > 0 else { return budget.sentences }
    return budget.sentences + [
      "\(omitted) more are left out after the first \(Self.most); apus flv show and apus hvcc show list them."
    ]
  }

  init(tagsOf source: any ByteSource, limits: Limits) throws(SyntaxError) {
    self.source = source
    let records = try RecordFinder.records(inFLV: source, limits: limits)
    var reader = try TagReader(source, limits: limits)
    let header = reader.header
    let size = min(source.count, FLVHeader.size)
    try add(
      "FLV", "File header", "Flash Video 10.1, E.2", at: 0, size: size,
      fields: FieldMapper.fields(of: header, at: 0), named: "header")
    var number = 0
    while let element = try reader.next() {
      guard boxes.count <= Self.most else {
        omitted += 1
        continue
      }
      switch element {
      case .tag(let tag):
        let name =
          switch tag.header.type {
          case .audio: "Sound"
          case .video: "Pictures"
          case .script: "Script"
          default: "A tag of type \(tag.header.type.rawValue)"
          }
        var fields = try FieldMapper.fields(of: tag.header, at: tag.offset)
        var data = tag.data
        if let last = data.last { data = data.lowerBound..<min(last + 1, source.count) }
        let record = try Self.record(in: data, records)
        let opaque = data.lowerBound..<(record?.start ?? data.upperBound)
        fields.append(
          Field(
            name: "data", value: .extent(Extent(source, opaque)), kind: .bytes,
            position: opaque.lowerBound * 8, bits: opaque.count * 8))
        fields += record?.fields ?? []
        try add(
          "tag", "\(name) at \(tag.time) ms", "Flash Video 10.1, E.4.1", at: tag.offset,
          size: TagHeader.size + data.count, fields: fields, named: "tag[\(number)]")
        if let record, let last = boxes.indices.last, !boxes[last].fields.isEmpty {
          budget.add(record.view, to: &boxes[last], names: &names)
        }
        number += 1
      case .junk(let range): addJunk(range, "outside any tag")
      case .truncated(_, let range): addJunk(range, "the file ends inside this tag")
      case .end: break
      }
    }
  }

  /// Returns the configuration record in a tag, with all of its fields.
  private static func record(in data: Range<Int>, _ found: RecordFinder.Result)
    throws(SyntaxError) -> (start: Int, fields: [Field], view: RecordView)?
  {
    for record in found.records {
      guard let start = record.offset, data.contains(start) else { continue }
      let view = try RecordView(
        record.record, record.record.arrays, at: start, sets: record.headers.sets)
      return (start, try FieldMapper.fields(of: record.record, at: start), view)
    }
    for record in found.avcRecords {
      guard let start = record.offset, data.contains(start) else { continue }
      let view = try RecordView(record.record, at: start)
      return (start, try FieldMapper.fields(of: record.record, at: start), view)
    }
    return nil
  }

  /// The number of bytes read of a bare stream.
  private static let window = 4 << 20

  init(unitsOf source: any ByteSource) throws(SyntaxError) {
    self.source = source
    let bytes = try source.bytes(in: 0..<min(source.count, Self.window))
    let isAVC = (try? BareStreamKind.isAVC(source)) ?? false
    var reader = UnitReader(isAVC: isAVC)
    var start = StartCode.next(in: bytes.span, from: 0)
    var number = 0
    while let prefix = start {
      let first = prefix + 3
      start = StartCode.next(in: bytes.span, from: first)
      guard start != nil || bytes.count == source.count else { break }
      guard number < Self.most else {
        omitted += 1
        continue
      }
      var end = start ?? bytes.count
      while end > first, bytes[end - 1] == 0 { end -= 1 }
      let syntax = try reader.next(Extent(source, first..<end))
      var unit =
        NALUnitOutline(syntax, in: source)
        ?? NALUnitOutline(
          syntax.name, Array(bytes[first..<end]), syntax.fields + [syntax.rest].compactMap(\.self),
          at: first, failure: syntax.failure)
      unit.box.kind = .box
      unit.box.anchor = "nal[\(number)]"
      number += 1
      guard budget.takesBox() else { break }
      if budget.takes(fields: unit.box.fields.count) {
        unit.box.bytes = try budget.runs(of: unit.box.fields, from: source, end: end)
        unit.box.escapes = unit.escapes
      } else {
        unit.box.fields = []
      }
      boxes.append(unit.box)
    }
  }

  private mutating func addJunk(_ range: Range<Int>, _ note: String) {
    var box = ReportBox(
      "bytes", anchor: "junk@\(range.lowerBound)", start: range.lowerBound, size: range.count)
    box.note = note
    boxes.append(box)
  }

  private mutating func add(
    _ type: String, _ title: String, _ clause: String, at start: Int, size: Int, fields: [Field],
    named anchor: String
  ) throws(SyntaxError) {
    var box = ReportBox(type, anchor: anchor, start: start, size: size)
    (box.title, box.clause) = (title, clause)
    guard budget.takesBox() else { return }
    let rows = FieldRows(fields).rows
    if budget.takes(fields: rows.count) {
      box.fields = rows
      box.bytes = try budget.runs(of: rows, from: source, end: start + size)
    }
    boxes.append(box)
  }
}
