// SPDX-License-Identifier: MIT

package import ApusBytes
package import HEVC

/// Configuration records of streams whose parameter sets are among the pictures.
package enum InBandSets {
  /// Returns the record with the sets and messages among the NAL units of an access unit.
  ///
  /// - Parameter offset: the offset of the access unit, for the error.
  package static func record(of nalUnits: [[UInt8]], lengthSize: Int = 4, at offset: Int)
    throws -> DecoderConfigurationRecord
  {
    var builder = RecordBuilder()
    builder.lengthSize = lengthSize
    builder.isComplete = false
    let lead = nalUnits.filter { unit in
      NALUnitHeader(of: unit).map { $0.nuhLayerID == 0 && $0.nalUnitType.leadsRecord } ?? false
    }
    do {
      return try builder.record(of: lead).record
    } catch {
      var failure = error
      failure.offset = offset
      throw failure
    }
  }

  /// Returns the supplemental information before the picture of an access unit.
  package static func messages(in sample: Extent, lengthSize: Int) throws -> [[UInt8]] {
    var found: [[UInt8]] = []
    let heads: [LengthPrefixed.Head]
    do {
      heads = try LengthPrefixed.heads(in: sample, lengthSize: lengthSize)
    } catch {
      guard error.kind != .io else { throw error }
      return []
    }
    for head in heads {
      let type = NALUnitType(firstByte: head.first)
      if type.isVCL { break }
      guard type == .prefixSEI, head.range.count < 1 << 16 else { continue }
      let start = sample.range.lowerBound
      let range = start + head.range.lowerBound..<start + head.range.upperBound
      found.append(try sample.source.bytes(in: range))
    }
    return found
  }
}

extension NALUnitType {
  /// Whether it may be in a record: a parameter set, or a message before the picture.
  package var leadsRecord: Bool { isParameterSet || self == .prefixSEI }
}
