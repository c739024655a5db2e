// SPDX-License-Identifier: MIT

internal import Bytes
internal import HEVC

/// Configuration records of streams whose parameter sets stand among the pictures.
enum InBandSets {
  /// The record of the sets and messages among the NAL units of an access unit.
  ///
  /// - Parameter offset: where it lies, for the error.
  static func record(of nalUnits: [[UInt8]], lengthSize: Int = 4, at offset: Int)
    throws(SyntaxError) -> DecoderConfigurationRecord
  {
    var builder = RecordBuilder()
    builder.lengthSize = lengthSize
    builder.isComplete = false
    let lead = nalUnits.filter { unit in
      NALUnitHeader(of: unit).map { $0.nuhLayerID == 0 && $0.nalUnitType.leadsRecord } ?? false
    }
    do throws(SyntaxError) {
      return try builder.record(of: lead).record
    } catch {
      var failure = error
      failure.offset = offset
      throw failure
    }
  }
}

extension NALUnitType {
  /// Whether it may stand in a record: a parameter set, or a message before the picture.
  var leadsRecord: Bool { isParameterSet || self == .prefixSEI }
}
