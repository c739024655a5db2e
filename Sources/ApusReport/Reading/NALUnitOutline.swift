// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import HEVC

/// A NAL unit as shown in the tree.
struct NALUnitOutline {
  var box: ReportBox
  /// The offsets of its emulation prevention bytes.
  var escapes: [Int]

  init(
    _ name: String, _ bytes: [UInt8], _ fields: [Field], at offset: Int,
    failure: SyntaxError? = nil, size: Int? = nil, anchor: String = ""
  ) {
    box = ReportBox(name, anchor: anchor, start: offset, size: size ?? bytes.count)
    box.kind = .unit
    let row = ClauseTable.nalUnit(name)
    (box.title, box.clause) = (row?.title, row?.clause)
    box.note = failure.map { "cannot be read further: \($0)" }
    let meaning = FieldMeaning(type: name)
    box.fields = FieldRows(fields) { meaning($0) }.rows
    escapes = Self.escapes(in: bytes).map { $0 + offset }
  }

  /// Returns the offsets of emulation prevention bytes: ITU-T H.265, 7.3.1.1: a 3 after two zeros that does not belong
  /// to the payload.
  private static func escapes(in bytes: [UInt8]) -> [Int] {
    var zeros = 0
    var found: [Int] = []
    for (index, byte) in bytes.enumerated() {
      if byte == 3, zeros >= 2 {
        found.append(index)
        zeros = 0
      } else {
        zeros = byte == 0 ? zeros + 1 : 0
      }
    }
    return found
  }

  /// Returns the NAL units at the beginning of a sample: parameter sets, messages, and the headers of slices.
  ///
  /// - Parameter sets: the sets to which slices refer; those in the sample are added.
  static func all(
    in range: Range<Int>, of source: any ByteSource, lengthSize: Int, sets: inout ParameterSets
  ) -> [NALUnitOutline] {
    var found: [NALUnitOutline] = []
    var position = range.lowerBound
    do throws(SyntaxError) {
      while found.count < most, position + lengthSize < range.upperBound {
        let head = try source.bytes(in: position..<position + lengthSize)
        let length = Int(bigEndianBytes: head)
        position += lengthSize
        guard length > 0, length <= range.upperBound - position else { break }
        let bytes = try source.bytes(in: position..<position + min(length, seen))
        if let unit = try outline(bytes, at: position, size: length, &sets) { found.append(unit) }
        position += length
      }
    } catch {
      // The rest cannot be read; the units before it are shown.
    }
    return found
  }

  /// Returns a NAL unit whose bytes are all available; the part that cannot be read is shown as bytes.
  static func whole(_ bytes: [UInt8], at offset: Int, _ sets: inout ParameterSets)
    -> NALUnitOutline
  {
    do throws(SyntaxError) {
      if let unit = try outline(bytes, at: offset, size: bytes.count, &sets) { return unit }
      let fields = try NALUnitFields(of: bytes, sets: sets, at: offset)
      return NALUnitOutline(
        fields.header.nalUnitType.name, bytes, fields.fields, at: offset, failure: fields.failure)
    } catch {
      return NALUnitOutline("NAL unit", bytes, [], at: offset, failure: error)
    }
  }

  private static let most = 6
  private static let seen = 2048

  private static func outline(
    _ bytes: [UInt8], at offset: Int, size: Int, _ sets: inout ParameterSets
  ) throws(SyntaxError) -> NALUnitOutline? {
    guard let header = NALUnitHeader(of: bytes) else { return nil }
    let name = header.nalUnitType.name
    if header.nalUnitType.isSliceSegment {
      do throws(SyntaxError) {
        let slice = try SliceSegment(bytes, sets: sets)
        var unit = NALUnitOutline(
          name, Array(bytes.prefix(slice.headerSize)), try slice.fields(at: offset), at: offset,
          size: size)
        unit.box.title = "Slice segment header"
        unit.box.clause = "ITU-T H.265, 7.3.6.1"
        return unit
      } catch {
        return nil
      }
    }
    guard bytes.count == size else { return nil }
    sets.add(nalUnit: bytes)
    let fields = try NALUnitFields(of: bytes, sets: sets, at: offset)
    return NALUnitOutline(name, bytes, fields.fields, at: offset, failure: fields.failure)
  }
}
