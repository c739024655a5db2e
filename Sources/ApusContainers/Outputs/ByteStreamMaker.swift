// SPDX-License-Identifier: MIT

internal import AVC
internal import ApusBytes
internal import ApusMedia
internal import ApusSamples
internal import HEVC
internal import ISOBMFF

/// Makes the access units of a byte stream (ITU-T H.265 and H.264, Annex B) from the samples of an HEVC or AVC track.
/// Its parameter sets, including those of layers above the base, precede each random access picture that does not bring
/// its own; the messages of its configuration are written once.
struct ByteStreamMaker: Sendable {
  /// The track, with what its movie declares about layers above the base.
  private let track: CodedTrack
  private var format: CodedTrack.Format
  private var sets: [[UInt8]]
  /// The parameter sets of the layers above the base.
  private var upperSets: [[UInt8]]

  /// - Parameter track: a track of HEVC or AVC.
  init(_ track: CodedTrack) throws {
    self.track = track
    format = track.format
    sets = try Self.sets(of: format)
    upperSets = try UpperLayers.sets(of: track, format)
  }

  /// Switches to another format for the samples that follow.
  mutating func change(to format: CodedTrack.Format) throws {
    self.format = format
    sets = try Self.sets(of: format)
    upperSets = try UpperLayers.sets(of: track, format)
  }

  mutating func bytes(of sample: CodedSample) throws -> [UInt8] {
    let bytes = try sample.payload.bytes()
    var units = try LengthPrefixed.nalUnits(in: bytes, lengthSize: format.lengthSize)
    units.removeAll(where: \.isEmpty)
    if !upperSets.isEmpty { units = UpperLayers.asByteStream(units) }
    if sample.isSync, !units.contains(where: isSequenceSet) {
      let delimiters = units.prefix(while: isDelimiter).count
      let missing = sets.filter { !units.contains($0) }
      units.insert(contentsOf: missing, at: delimiters)
      sets = sets.filter(isParameterSet)
    }
    if sample.isSync, !upperSets.isEmpty {
      // They refer to the video parameter set, which is among those of the base.
      let beginning = units.prefix { isDelimiter($0) || isParameterSet($0) }.count
      units.insert(contentsOf: upperSets.filter { !units.contains($0) }, at: beginning)
    }
    if case .hevc = format { return AnnexB.bytes(of: units) }
    var stream: [UInt8] = []
    for unit in units { stream += [0, 0, 0, 1] + unit }
    return stream
  }

  private func isSequenceSet(_ unit: [UInt8]) -> Bool {
    if case .hevc = format {
      guard let header = NALUnitHeader(of: unit) else { return false }
      return header.nalUnitType == .sps && header.nuhLayerID == 0
    }
    return unit.avcNALUnitType == .sps
  }

  private func isParameterSet(_ unit: [UInt8]) -> Bool {
    guard case .hevc = format else { return true }
    return NALUnitHeader(of: unit)?.nalUnitType.isParameterSet ?? false
  }

  private func isDelimiter(_ unit: [UInt8]) -> Bool {
    if case .hevc = format { return NALUnitHeader(of: unit)?.nalUnitType == .aud }
    return unit.avcNALUnitType == .delimiter
  }

  private static func sets(of format: CodedTrack.Format) throws -> [[UInt8]] {
    switch format {
    case .hevc(let record): return record.arrays.flatMap(\.nalUnits)
    case .avc(let bytes): return try AVCConfiguration(bytes).parameterSets
    case .aac, .other: return []
    }
  }
}
