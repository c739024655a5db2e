// SPDX-License-Identifier: MIT

package import ApusBytes
internal import ApusMedia
package import ApusSamples
internal import HEVC
internal import ISOBMFF

/// The layers of HEVC above the base, such as the second view of stereo video (MV-HEVC): in a movie their parameter
/// sets are in a separate record (`lhvC`: ISO/IEC 14496-15, 9.6.2), their slices in the samples of the track.
package enum UpperLayers {
  /// Returns the parameter sets that a movie has for samples of a format; empty where there are none.
  static func sets(of track: CodedTrack, _ format: CodedTrack.Format) throws -> [[UInt8]] {
    for entry in track.details.sampleEntries where try entry.format.isSame(as: format) {
      let records = entry.node.children.compactMap { $0.box as? LayeredHEVCConfiguration }
      return records.flatMap(\.record.arrays).flatMap(\.nalUnits)
    }
    return []
  }

  /// Returns whether a movie declares such layers for a track.
  package static func exist(in track: CodedTrack) -> Bool {
    track.details.sampleEntries.contains { entry in
      entry.node.children.contains { $0.box is LayeredHEVCConfiguration }
    }
  }

  /// Returns the NAL units of a sample in an order from which a byte stream shows where the sample begins and ends: a
  /// unit of the base layer that is not a slice begins a new access unit wherever it follows a slice (ITU-T H.265,
  /// 7.4.2.4.4), and cameras put messages of the base layer before the slices of the second view.
  static func asByteStream(_ units: [[UInt8]]) -> [[UInt8]] {
    let headers = units.map { NALUnitHeader(of: $0) }
    guard let first = headers.firstIndex(where: { $0?.nalUnitType.isVCL == true }) else {
      return units
    }
    let isEarly = headers.enumerated().map { index, header in
      guard index > first, let header, header.nuhLayerID == 0 else { return index < first }
      return header.nalUnitType == .prefixSEI || header.nalUnitType.isParameterSet
    }
    return zip(units, isEarly).filter(\.1).map(\.0) + zip(units, isEarly).filter { !$0.1 }.map(\.0)
  }

  /// Returns a sample without these layers.
  package static func removed(from sample: Extent, lengthSize: Int) throws -> Extent {
    let units = try LengthPrefixed.nalUnits(in: sample.bytes(), lengthSize: lengthSize)
    let base = units.filter { NALUnitHeader(of: $0)?.nuhLayerID ?? 0 == 0 }
    guard base.count < units.count else { return sample }
    return Extent(try LengthPrefixed.bytes(of: base, lengthSize: lengthSize))
  }
}
