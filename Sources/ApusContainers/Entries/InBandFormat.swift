// SPDX-License-Identifier: MIT

internal import AVC
internal import ApusBytes
internal import ApusSamples
internal import HEVC
internal import ISOBMFF

/// A format whose parameter sets are in the key frames, for a sample entry that does not contain them.
struct InBandFormat: Sendable {
  private let sets: [[UInt8]]
  /// The number of bytes in the length before each NAL unit of the samples that come in.
  private let oldSize: Int
  /// The number of bytes in the length before each NAL unit of the samples that are written.
  private let newSize: Int
  private let isHEVC: Bool

  /// Returns `nil` for codecs without such sets.
  init?(_ format: CodedTrack.Format, lengthSize: Int) throws {
    oldSize = format.lengthSize
    newSize = lengthSize
    switch format {
    case .hevc(let record):
      sets = record.parameterSets
      isHEVC = true
    case .avc(let bytes):
      sets = try AVCConfiguration(bytes).parameterSets
      isHEVC = false
    case .aac, .other: return nil
    }
  }

  /// Returns a sample as it is written: a key frame has the sets after its access unit delimiter, unless it brings its
  /// own.
  func written(_ payload: Extent, isSync: Bool) throws -> Extent {
    guard isSync || oldSize != newSize else { return payload }
    var units = try LengthPrefixed.nalUnits(in: try payload.bytes(), lengthSize: oldSize)
    if isSync {
      units.removeAll { sets.contains($0) }
      let place = units.first.map(isDelimiter) == true ? 1 : 0
      units.insert(contentsOf: sets, at: place)
    }
    return Extent(try LengthPrefixed.bytes(of: units, lengthSize: newSize))
  }

  private func isDelimiter(_ unit: [UInt8]) -> Bool {
    guard let first = unit.first else { return false }
    return isHEVC
      ? NALUnitType(firstByte: first) == .aud : unit.avcNALUnitType == .delimiter
  }
}
