// SPDX-License-Identifier: MIT

internal import Bytes
internal import HEVC
internal import ISOBMFF

extension DecoderConfigurationRecord {
  /// Refuses a record that cannot stand alone.
  func requireSets(_ path: String) throws(EditError) {
    for type in [NALUnitType.vps, .sps, .pps] {
      let isThere = arrays.contains { $0.nalUnitType == type.rawValue && !$0.nalUnits.isEmpty }
      guard isThere else {
        throw .refused(
          path: path, reason: "neither the record nor the samples have a \(type.setName)")
      }
    }
  }

  /// Adds the arrays of NAL units that follow those of the record, whose number is too small then.
  ///
  /// - Returns: whether the bytes are such arrays and nothing else.
  mutating func takeArrays(in bytes: [UInt8]) -> Bool {
    var reader = SyntaxReader(MemorySource(bytes))
    var found: [NALUnitArray] = []
    do throws(SyntaxError) {
      while reader.remaining > 0 {
        var array = NALUnitArray()
        try array.syntax(&reader)
        found.append(array)
      }
    } catch {
      return false
    }
    let areArrays = found.allSatisfy { array in
      !array.nalUnits.isEmpty
        && array.nalUnits.allSatisfy {
          NALUnitHeader(of: $0)?.nalUnitType.rawValue == array.nalUnitType
        }
    }
    if areArrays { arrays += found }
    return areArrays
  }

  /// Puts every NAL unit into the array of its type, one for each type, in the order of the types (ISO/IEC 14496-15,
  /// 8.3.2.1.3). What a record may not hold stays in its array, for it may be wanted.
  mutating func arrangeArrays() {
    var arranged: [NALUnitArray] = []
    for array in arrays {
      for unit in array.nalUnits {
        let type = NALUnitHeader(of: unit)?.nalUnitType.rawValue ?? array.nalUnitType
        let wanted = Rule.allowed.contains(type) ? type : array.nalUnitType
        if let index = arranged.firstIndex(where: { $0.nalUnitType == wanted }) {
          arranged[index].nalUnits.append(unit)
          // Sets are complete unless something says otherwise.
          arranged[index].arrayCompleteness =
            arranged[index].arrayCompleteness && array.arrayCompleteness
        } else {
          var own = array
          own.reserved = false
          own.nalUnitType = wanted
          own.nalUnits = [unit]
          arranged.append(own)
        }
      }
    }
    let types = arranged.map(\.nalUnitType).filter(Rule.allowed.contains)
    if types != types.sorted() { arranged.sort { $0.nalUnitType < $1.nalUnitType } }
    arrays = arranged
  }

  /// Gives sets the lowest temporal layer if they have none (0), which no NAL unit may (H.265, 7.4.2.2).
  mutating func correctTemporalIDs() throws(SyntaxError) {
    for index in arrays.indices {
      for unit in arrays[index].nalUnits.indices {
        let bytes = arrays[index].nalUnits[unit]
        guard var header = NALUnitHeader(of: bytes), header.nuhTemporalIDPlus1 == 0,
          header.nalUnitType.isParameterSet
        else { continue }
        header.nuhTemporalIDPlus1 = 1
        var writer = SyntaxWriter(ArraySink())
        try header.syntax(&writer)
        arrays[index].nalUnits[unit].replaceSubrange(
          0..<NALUnitHeader.size, with: writer.sink.bytes)
      }
    }
  }

  /// Makes every field before the arrays from the sets. The frame rate stays: the file may know it better.
  mutating func rebuildFields(_ path: String) throws(EditError) {
    var builder = RecordBuilder()
    builder.lengthSize = Int(lengthSizeMinusOne) + 1
    do throws(SyntaxError) {
      var built = try builder.record(of: arrays.flatMap(\.nalUnits)).record
      built.arrays = arrays
      for index in arrays.indices
      where NALUnitType(fieldBits: UInt64(arrays[index].nalUnitType)).isParameterSet {
        built.arrays[index].nalUnits = arrays[index].nalUnits.map { Array($0.withoutTrailingZeros) }
      }
      built.avgFrameRate = avgFrameRate
      // 3 is reserved, and 0 says nothing.
      built.constantFrameRate = constantFrameRate == 3 ? 0 : constantFrameRate
      self = built
    } catch {
      throw .refused(
        path: path, reason: "the record cannot be rebuilt from its sets: \(error.message)")
    }
  }

  /// The bits that say whether all sets of a type are in the record (ISO/IEC 14496-15, 8.3.2.1.3): one for
  /// the sets of `hvc1` and zero for all else; of `hev1` it is not known, unless the samples were emptied.
  mutating func setCompleteness(_ entry: RecordRepair.Entry, inBand: RecordRepair.InBandSets) {
    for index in arrays.indices {
      let type = NALUnitType(fieldBits: UInt64(arrays[index].nalUnitType))
      if !type.isParameterSet {
        arrays[index].arrayCompleteness = false
      } else if entry == .hvc1 || inBand.isRemoving {
        arrays[index].arrayCompleteness = true
      }
    }
  }

  /// Puts sets into the arrays of their types, in the order of the types.
  mutating func add(_ sets: [[UInt8]]) {
    for set in sets {
      guard let type = NALUnitHeader(of: set)?.nalUnitType.rawValue else { continue }
      if let index = arrays.firstIndex(where: { $0.nalUnitType == type }) {
        arrays[index].nalUnits.append(set)
        continue
      }
      var array = NALUnitArray()
      array.nalUnitType = type
      array.nalUnits = [set]
      let place = arrays.firstIndex { $0.nalUnitType > type } ?? arrays.endIndex
      arrays.insert(array, at: place)
    }
  }
}

extension NALUnitType {
  /// `VPS`, `SPS`, `PPS`.
  var setName: String {
    switch self {
    case .vps: "VPS"
    case .sps: "SPS"
    case .pps: "PPS"
    default: name
    }
  }
}
