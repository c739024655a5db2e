// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia
internal import ApusSamples
internal import HEVC

/// The picture with which a stream continues after others were dropped.
///
/// A clean random access picture (CRA) in the middle of a stream belongs to the sequence before it: a decoder continues
/// the count of its pictures, and after a gap of half the range it mistakes new pictures for old ones. As a broken link
/// access picture (BLA) it begins a new sequence, with the same bytes after the header of its NAL units: ITU-T H.265,
/// 8.1.3 and 8.3.1. RASL pictures cannot follow it; the queue has dropped them.
enum BrokenLink {
  /// Returns the sample with its CRA changed to a BLA; anything else unchanged.
  static func opening(_ sample: CodedSample, _ format: CodedTrack.Format) throws -> CodedSample {
    guard case .hevc(let record) = format else { return sample }
    let units = try LengthPrefixed.heads(in: sample.payload, lengthSize: record.lengthSize)
    var bytes = try sample.payload.bytes()
    var isChanged = false
    for unit in units where unit.range.count >= NALUnitHeader.size {
      let start = unit.range.lowerBound
      var header = NALUnitHeader(bytes[start], bytes[start + 1])
      guard header.nalUnitType == .cra else { continue }
      // It may have RADL pictures, but need not.
      header.nalUnitType = .blaWRADL
      bytes.replaceSubrange(start..<start + NALUnitHeader.size, with: try header.encoded())
      isChanged = true
    }
    guard isChanged else { return sample }
    var changed = sample
    changed.payload = Extent(bytes)
    return changed
  }
}
