// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import HEVC
internal import ISOBMFF

extension DecoderConfigurationRecord {
  /// Throws if the record has no parameter sets.
  func requireSets(_ path: String) throws(EditError) {
    for type in [NALUnitType.vps, .sps, .pps] {
      let isThere = arrays.contains { $0.nalUnitType == type.rawValue && !$0.nalUnits.isEmpty }
      guard isThere else {
        throw .refused(
          path: path, reason: "neither the record nor the samples have a \(type.setName)")
      }
    }
  }

  /// Adds arrays of NAL units that follow the record because its count is too small.
  ///
  /// - Returns: whether the bytes consist only of such arrays.
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

  /// Moves every NAL unit into the array of its type, one for each type, in the order of the types (ISO/IEC 14496-15,
  /// 8.3.2.1.3). Units that a record must not contain stay in their array, because they may be needed.
  mutating func arrangeArrays() {
    var arranged: [NALUnitArray] = []
    for array in arrays {
      for unit in array.nalUnits {
        let type = NALUnitHeader(of: unit)?.nalUnitType.rawValue ?? array.nalUnitType
        let wanted = Rule.allowed.contains(type) ? type : array.nalUnitType
        if let index = arranged.firstIndex(where: { $0.nalUnitType == wanted }) {
          arranged[index].nalUnits.append(unit)
          // Sets are complete unless stated otherwise.
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

  /// Assigns the lowest temporal layer to sets that have none (0), which is not allowed for any NAL unit (H.265,
  /// 7.4.2.2).
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

  /// Derives every field before the arrays from the sets. The frame rate is kept, because the file may have better
  /// information.
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
      // 3 is reserved, and 0 means unknown.
      built.constantFrameRate = constantFrameRate == 3 ? 0 : constantFrameRate
      self = built
    } catch {
      throw .refused(
        path: path, reason: "the record cannot be rebuilt from its sets: \(error.message)")
    }
  }

  /// Sets the bits that state whether all sets of a type are in the record (ISO/IEC 14496-15, 8.3.2.1.3): one for the
  /// sets of `hvc1` and zero for everything else; for `hev1` it is unknown unless the sets were removed from the
  /// samples.
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

  /// Adds sets to the arrays of their types, in the order of the types.
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
  /// The name of the set: `VPS`, `SPS` or `PPS`.
  var setName: String {
    switch self {
    case .vps: "VPS"
    case .sps: "SPS"
    case .pps: "PPS"
    default: name
    }
  }
}
