// SPDX-License-Identifier: MIT

public import ApusBytes

/// The parameter sets of H.264 seen so far, keyed by ID, to which slices refer.
public struct AVCKnownSets: Sendable {
  /// The sequence parameter sets, by `seq_parameter_set_id`.
  public private(set) var sequences: [UInt8: AVCSequenceParameterSet] = [:]
  /// The picture parameter sets, by `pic_parameter_set_id`.
  public private(set) var pictures: [UInt8: AVCPictureParameterSet] = [:]

  public init() {}

  /// Creates the sets of a configuration; unreadable ones are skipped.
  public init(_ configuration: AVCConfiguration) {
    for unit in configuration.parameterSets { add(nalUnit: unit) }
  }

  /// Adds a NAL unit if it contains a parameter set, and returns `false` if that could not be read.
  @discardableResult
  public mutating func add(nalUnit bytes: [UInt8], limits: Limits = Limits()) -> Bool {
    var reader = SyntaxReader(escaped: bytes, limits: limits)
    var header = AVCNALUnitHeader()
    do throws(SyntaxError) {
      try header.syntax(&reader)
      switch header.nalUnitType {
      case .sps:
        var set = AVCSequenceParameterSet()
        try set.syntax(&reader)
        sequences[set.id] = set
      case .pps:
        var set = try AVCPictureParameterSet(for: reader, sequences: sequences)
        try set.syntax(&reader)
        pictures[set.id] = set
      default: break
      }
      return true
    } catch {
      return false
    }
  }
}
