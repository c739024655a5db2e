// SPDX-License-Identifier: MIT

internal import AVC
internal import ApusBytes

extension AVCSequenceParameterSet {
  /// Returns whether frame numbers may have gaps, by the first set of a stream; `true` if none can be read.
  ///
  /// - Parameters:
  ///   - configuration: a decoder configuration record, or a byte stream of parameter sets, or nothing.
  ///   - sample: the first sample, in the framing that follows from the configuration.
  static func allowGaps(_ configuration: [UInt8], sample: [UInt8]) -> Bool {
    do throws(SyntaxError) {
      var units = [[UInt8]]()
      if configuration.first == 1 {
        let record = try AVCConfiguration(configuration)
        let size = Int(record.lengthSizeMinusOne) + 1
        units = record.sequenceParameterSets
        if units.isEmpty { units = try LengthPrefixed.nalUnits(in: sample, lengthSize: size) }
      } else {
        units = AnnexB.nalUnits(in: configuration) + AnnexB.nalUnits(in: sample)
      }
      guard let set = units.first(where: { $0.avcNALUnitType == .sps }) else { return true }
      return try AVCSequenceParameterSet(nalUnit: set).gapsInFrameNumValueAllowedFlag
    } catch {
      return true
    }
  }
}
