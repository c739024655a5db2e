// SPDX-License-Identifier: MIT

import ApusBytes
import ApusFacts
import ApusJSON
import ApusRecords

/// A record of `apus hvcc show --json`, with every field by its name in the standard.
struct RecordListing: Described {
  private let file: String
  private let record: any ShownRecord
  private let view: ListedView
  private let layer: ListedLayer?

  init(_ record: any ShownRecord, file: String) throws {
    self.file = file
    self.record = record
    view = try ListedView(record.view(), bytes: record.bytes)
    layer = try record.layer().map {
      ListedLayer(offset: $0.offset, view: try ListedView($0.view, bytes: $0.bytes))
    }
  }

  static let title = "record"

  static func describe<V: FactVisitor>(_ v: inout V) where V.Subject == RecordListing {
    v.required("source", "The path of the file as given; - is standard input.") { $0.file }
    v.optional(
      "path",
      """
      The enclosing structures, outermost first; absent for a file that is a record, and for a bare stream.
      """
    ) { $0.record.path.nonEmpty }
    v.optional(
      "offset",
      """
      The offset of the record or its box in the file; absent for a record made from a bare stream.
      """
    ) { $0.record.offset }
    v.required("used_by", "The tracks and items that the record configures.") {
      $0.record.users.map(\.description)
    }
    v.required("entry", "The type of the sample entry or item; null if there is none.") {
      $0.record.entryType
    }
    v.optional("original_format", "The type of the entry before it was encrypted.") {
      $0.record.originalType
    }
    v.required("codec_string", "The codec string: RFC 6381.") { $0.record.codecString }
    v.optional(
      "supplemental_codec_strings", "Supplemental codec strings: Dolby Vision, other layers."
    ) { $0.record.supplementalCodecStrings.nonEmpty }
    v.facts { $0.view }
    v.optional("lhvC", "The record of the layers above the base.") { $0.layer }
  }
}

private struct ListedLayer: Described {
  let offset: Int?
  let view: ListedView

  static let title = "layer"

  static func describe<V: FactVisitor>(_ v: inout V) where V.Subject == ListedLayer {
    v.optional("offset", "The offset of the record or its box in the file.") { $0.offset }
    v.facts { $0.view }
  }
}

private struct ListedView: Described {
  private let bytes: [UInt8]
  private let fields: ListedFields
  private let arrays: [ListedArray]

  init(_ view: RecordView, bytes: [UInt8]) throws {
    self.bytes = bytes
    fields = try ListedFields(view.fields + view.arrays.flatMap(\.preceding))
    arrays = try view.arrays.map { array in
      ListedArray(array: array, units: try array.units.map(ListedUnit.init))
    }
  }

  static let title = "view"

  static func describe<V: FactVisitor>(_ v: inout V) where V.Subject == ListedView {
    v.required("size", "The size of the record in bytes.") { $0.bytes.count }
    v.required("bytes", "The bytes in hexadecimal.") { $0.bytes.hexadecimal() }
    v.required("fields", "The fields before the arrays. \(ListedFields.meaning)") { $0.fields }
    v.required("arrays", "The NAL units of the record, by the arrays in which they are.") {
      $0.arrays
    }
  }
}

private struct ListedArray: Described {
  let array: RecordView.ArrayView
  let units: [ListedUnit]

  static let title = "array"

  static func describe<V: FactVisitor>(_ v: inout V) where V.Subject == ListedArray {
    v.optional("array_completeness", "0 or 1; only for HEVC.") {
      $0.array.isComplete.map { $0 ? 1 : 0 }
    }
    v.required("NAL_unit_type", "The type of the NAL units.") { $0.array.type }
    v.required("name", "The name of the type or of the list in the standard.") { $0.array.name }
    v.required("nalus", "The NAL units.") { $0.units }
  }
}

private struct ListedUnit: Described {
  private let unit: RecordView.UnitView
  private let syntax: ListedFields

  init(_ unit: RecordView.UnitView) throws {
    self.unit = unit
    syntax = try ListedFields(unit.fields)
  }

  static let title = "unit"

  static func describe<V: FactVisitor>(_ v: inout V) where V.Subject == ListedUnit {
    v.required("size", "The size in bytes.") { $0.unit.bytes.count }
    v.required("hex", "The bytes in hexadecimal.") { $0.unit.bytes.hexadecimal() }
    v.required("syntax", "The fields. \(ListedFields.meaning)") { $0.syntax }
    v.optional("failure", "The reason why it could not be read completely.") {
      $0.unit.failure?.description
    }
  }
}

/// Fields by their names in the standard.
private struct ListedFields: FactValue {
  private let json: String

  init(_ fields: [Field]) throws {
    var writer = JSONWriter("")
    try InspectJSON(isFull: true).writeObject(of: fields, to: &writer)
    json = writer.output
  }

  static let meaning = """
    Each has its name in the standard and a number, a text, bytes in hexadecimal, a list, or a structure; a name \
    that occurs more than once has a list of its values.
    """

  static var form: FactForm { .structure }
  func write<W: FactWriter>(to writer: inout W) { writer.structure(json: json) }
}
