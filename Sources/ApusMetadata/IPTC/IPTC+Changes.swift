// SPDX-License-Identifier: MIT

internal import ApusBytes

extension IPTC {
  /// Returns the metadata with other texts and another time, in the form in which it was.
  static func changed(
    _ iptc: [UInt8], _ texts: MetadataEdits.Texts, time: PhotoTime?
  ) throws(SyntaxError) -> [UInt8] {
    guard !texts.isEmpty || time != nil else { return iptc }
    return try changingRecords(of: iptc) { records throws(SyntaxError) in
      var editor = try RecordEditor(records)
      for (number, value) in [
        (Number.title, texts.title), (.caption, texts.caption), (.creator, texts.creator),
        (.copyright, texts.copyright),
      ] {
        if let value { editor.set(number, to: value.isEmpty ? [] : [value]) }
      }
      if let keywords = texts.keywords {
        editor.set(.keywords, to: keywords.filter { !$0.isEmpty })
      }
      if let time {
        let text = time.iso8601
        editor.set(.date, to: [String(text.prefix(10).filter { $0 != "-" })])
        let zone = (time.zone ?? "").filter { $0 != ":" }
        let clock = text.dropFirst(11).prefix(8).filter { $0 != ":" }
        editor.set(.time, to: [clock + zone])
      }
      return try editor.records()
    }
  }

  /// A dataset of the application record: Information Interchange Model 4.2, 6.
  private enum Number: UInt8 {
    case title = 5
    case keywords = 25
    case date = 55
    case time = 60
    case creator = 80
    case copyright = 116
    case caption = 120
  }

  /// Records whose datasets are replaced.
  private struct RecordEditor {
    private var sets: [DataSet] = []
    /// Whether something was set that only UTF-8 can hold.
    private var needsUTF8 = false

    /// The escape sequence that announces UTF-8 (1:90).
    private static let utf8: [UInt8] = [0x1B, 0x25, 0x47]

    init(_ records: [UInt8]) throws(SyntaxError) {
      var reader = SyntaxReader(MemorySource(records))
      while reader.remaining > 0 {
        // The records may be padded with zeros.
        if records[reader.position...].allSatisfy({ $0 == 0 }) { break }
        var set = DataSet()
        try set.syntax(&reader)
        sets.append(set)
      }
    }

    mutating func set(_ number: Number, to values: [String]) {
      let place = sets.firstIndex { $0.record == 2 && $0.number >= number.rawValue } ?? sets.count
      sets.removeAll { $0.record == 2 && $0.number == number.rawValue }
      let new = values.map { value in
        var set = DataSet()
        (set.record, set.number, set.data) = (2, number.rawValue, Extent(Array(value.utf8)))
        if set.data.count > 0x7FFF { set.extendedLength = UInt32(set.data.count).bigEndianBytes }
        return set
      }
      needsUTF8 = needsUTF8 || values.contains { !$0.utf8.allSatisfy { $0 < 0x80 } }
      sets.insert(contentsOf: new, at: min(place, sets.count))
    }

    func records() throws(SyntaxError) -> [UInt8] {
      var sets = sets
      if needsUTF8 { try useUTF8(&sets) }
      var writer = SyntaxWriter(ArraySink())
      for index in sets.indices { try sets[index].syntax(&writer) }
      return writer.sink.bytes
    }

    /// Announces UTF-8; throws if other texts are in another encoding.
    private func useUTF8(_ sets: inout [DataSet]) throws(SyntaxError) {
      let isCoding = { (set: DataSet) in set.record == 1 && set.number == 90 }
      if let coding = sets.first(where: isCoding), try coding.data.bytes() == Self.utf8 { return }
      for set in sets where set.record == 2 {
        let bytes = try set.data.bytes()
        guard String(validating: bytes, as: UTF8.self) != nil else {
          throw SyntaxError(
            .unsupported, field: "IPTC",
            detail: "has texts in another encoding than UTF-8, so others cannot be added")
        }
      }
      sets.removeAll(where: isCoding)
      var coding = DataSet()
      (coding.record, coding.number, coding.data) = (1, 90, Extent(Self.utf8))
      let place = sets.firstIndex { $0.record > 1 || $0.record == 1 && $0.number > 90 }
      sets.insert(coding, at: place ?? sets.count)
    }
  }
}
