// SPDX-License-Identifier: MIT

public import ApusBytes

/// Collects the parameter sets of an H.264 byte stream, and creates the decoder configuration record from them: ISO/IEC
/// 14496-15, 5.3.3.
public struct AVCParameterSets: Sendable {
  private var sequences: [(id: UInt32, bytes: [UInt8])] = []
  private var pictures: [(id: UInt32, bytes: [UInt8])] = []
  private var extensions: [(id: UInt32, bytes: [UInt8])] = []

  /// Creates an empty collection.
  public init() {}

  /// Whether there are both kinds of sets that decoding needs.
  public var isComplete: Bool { !sequences.isEmpty && !pictures.isEmpty }

  /// Adds a parameter set, replacing one with the same ID; returns whether that changed anything.
  @discardableResult
  public mutating func add(_ unit: [UInt8]) -> Bool {
    switch unit.avcNALUnitType {
    case .sps: Self.replace(&sequences, unit, skipping: 4)
    case .pps: Self.replace(&pictures, unit, skipping: 1)
    case .spsExtension: Self.replace(&extensions, unit, skipping: 1)
    default: false
    }
  }

  /// - Parameter skipping: the number of bytes before the ID.
  private static func replace(
    _ sets: inout [(id: UInt32, bytes: [UInt8])], _ unit: [UInt8], skipping: Int
  ) -> Bool {
    guard unit.count > skipping, unit.count <= UInt16.max else { return false }
    var reader = SyntaxReader(escaped: Array(unit.dropFirst(skipping).prefix(16)))
    var id: UInt32 = 0
    do throws(SyntaxError) {
      try reader.ue("parameter_set_id", &id, in: 0...255)
    } catch {
      return false
    }
    guard let place = sets.firstIndex(where: { $0.id == id }) else {
      sets.append((id, unit))
      return true
    }
    guard sets[place].bytes != unit else { return false }
    sets[place].bytes = unit
    return true
  }

  /// Returns the record for samples with length fields of four bytes; `nil` if sets are missing, or are more than a
  /// record can contain.
  public func configuration() throws(SyntaxError) -> AVCConfiguration? {
    guard let first = sequences.first?.bytes, isComplete, sequences.count < 32,
      pictures.count < 256, extensions.count < 256
    else { return nil }
    var record = AVCConfiguration()
    (record.profileIndication, record.profileCompatibility) = (first[1], first[2])
    record.levelIndication = first[3]
    record.sequenceParameterSets = sequences.map(\.bytes)
    record.pictureParameterSets = pictures.map(\.bytes)
    if !AVCConfiguration.profilesWithoutFormat.contains(first[1]) {
      let format = try AVCSequenceParameterSet(nalUnit: first).format
      var high = AVCConfiguration.HighProfile()
      high.chromaFormat = format.chromaFormatIDC
      high.bitDepthLumaMinus8 = format.bitDepthLumaMinus8
      high.bitDepthChromaMinus8 = format.bitDepthChromaMinus8
      high.sequenceParameterSetExtensions = extensions.map(\.bytes)
      record.highProfile = high
    }
    return record
  }
}
