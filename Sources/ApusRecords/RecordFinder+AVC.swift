// SPDX-License-Identifier: MIT

internal import AVC
internal import ApusBytes
internal import ISOBMFF

extension RecordFinder {
  /// Returns the H.264 record of a box with its bytes; `nil` for other boxes.
  static func foundAVC(_ box: LocatedNode, _ result: inout Result) -> FoundAVCRecord? {
    guard let record = box.box(AVCConfiguration.self) else { return nil }
    do throws(SyntaxError) {
      return FoundAVCRecord(
        record, bytes: try record.bytes(), offset: box.bodyOffset, place: box.place)
    } catch {
      result.avcFindings.append(
        Finding(
          .error, rule: "record-unreadable", path: box.path,
          offset: error.offset ?? box.node.start, message: error.message))
      return nil
    }
  }

  /// Returns the record if a file consists only of an H.264 record; `nil` if it does not. There is no signature, so all
  /// bits must conform to the standard, and there must be parameter sets.
  static func avcRecord(fileOf bytes: [UInt8]) -> FoundAVCRecord? {
    do throws(SyntaxError) {
      let record = try AVCConfiguration(bytes)
      guard record.configurationVersion == 1, record.reserved1 == 0b11_1111,
        record.reserved2 == 0b111, let first = record.sequenceParameterSets.first,
        first.avcNALUnitType == .sps, try record.bytes() == bytes
      else { return nil }
      return FoundAVCRecord(record, bytes: bytes, offset: 0, users: [.file])
    } catch {
      return nil
    }
  }
}
