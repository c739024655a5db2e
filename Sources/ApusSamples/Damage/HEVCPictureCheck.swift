// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import HEVC

/// Searches for signs that pictures of an HEVC stream, or parts of them, are missing.
///
/// Only headers are read. A truncated slice is found if it declares the sizes of its parts; otherwise its end looks
/// like any other: any byte but 0 may be the last of a NAL unit, and only decoding shows that something is missing.
package struct HEVCPictureCheck: Sendable {
  private var doubts = PictureDoubts()
  private var references = ReferenceCheck()
  private var gaps = OrderGaps()
  private var slices = SliceCounts()
  /// The number of pictures so far.
  private var count = 0

  package init() {}

  package var words: [String] { doubts.words + gaps.words + slices.words }

  /// Records a parameter set that cannot be read, or an access unit without a picture.
  mutating func add(_ fault: PictureDoubts.Fault) { doubts.add(fault, in: count + 1) }

  /// Checks the next access unit with a picture.
  ///
  /// - Parameters:
  ///   - first: the header of its first slice segment.
  ///   - startsSequence: `NoRaslOutputFlag`.
  mutating func look(
    at units: [[UInt8]], _ first: SliceSegmentHeader, orderCount: Int, startsSequence: Bool,
    sets: ParameterSets, limits: Limits
  ) {
    count += 1
    let type = first.header.nalUnitType
    doubts.add(
      .reference, in: count,
      count: references.missing(first, count: orderCount, startsSequence: startsSequence))
    // Leading pictures at a beginning are often left out.
    if !type.isRASL || !references.skipsLeading {
      let isRepeated = gaps.add(
        orderCount, number: count, startsSequence: startsSequence || type.isIDR,
        isOpen: !type.isIDR)
      if isRepeated { doubts.add(.order, in: count) }
    }
    if !first.firstSliceSegmentInPicFlag { doubts.add(.start, in: count) }
    var address: UInt32?
    var segments = 0
    for unit in units {
      guard let header = NALUnitHeader(of: unit) else { continue }
      if !header.hasMeaning { doubts.add(.header, in: count) }
      if StartCode.firstForbidden(in: unit.span) != nil { doubts.add(.bytes, in: count) }
      guard header.nuhLayerID == 0, header.nalUnitType.isVCL else { continue }
      segments += 1
      guard let last = address else {
        address = first.sliceSegmentAddress
        if first.isLonger(than: unit.count) { doubts.add(.short, in: count) }
        continue
      }
      do throws(SyntaxError) {
        let slice = try SliceSegmentHeader(startOf: unit, sets: sets, limits: limits)
        let isSame =
          header.nalUnitType == type && slice.sliceSegmentAddress > last
          && (slice.dependentSliceSegmentFlag
            || slice.references.slicePicOrderCntLSB == first.references.slicePicOrderCntLSB)
        if !isSame { doubts.add(.slice, in: count) }
        if slice.isLonger(than: unit.count) { doubts.add(.short, in: count) }
        address = slice.sliceSegmentAddress
      } catch {
        doubts.add(.slice, in: count)
      }
    }
    slices.add(segments, in: count)
  }
}

extension NALUnitHeader {
  /// Whether this edition of the standard defines its meaning, or leaves it to applications.
  fileprivate var hasMeaning: Bool {
    guard !forbiddenZeroBit, nuhTemporalIDPlus1 > 0 else { return false }
    return nalUnitType.isVCL
      ? nalUnitType.isSliceSegment : !(41...47).contains(nalUnitType.rawValue)
  }
}

extension SliceSegmentHeader {
  /// Returns whether its parts need more bytes than its NAL unit has (7.4.7.1, `entry_point_offset_minus1`).
  fileprivate func isLonger(than count: Int) -> Bool {
    entryPoints.entryPointOffsetMinus1.reduce(NALUnitHeader.size) { $0 + Int($1) + 1 } >= count
  }
}
