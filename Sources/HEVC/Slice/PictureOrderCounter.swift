// SPDX-License-Identifier: MIT

/// Computes the picture order count, picture by picture in decoding order: ITU-T H.265, 8.3.1.
public struct PictureOrderCounter: Sendable {
  /// The order count of `prevTid0Pic`.
  private var previous = 0
  private var startsSequence = true

  /// Creates a counter for the beginning of a sequence.
  public init() {}

  /// Records the end of a sequence (`EOS_NUT`, `EOB_NUT`), so that the next picture begins a new one.
  public mutating func endSequence() { startsSequence = true }

  /// Returns the `PicOrderCntVal` of the picture whose first segment is `slice`.
  public mutating func count(of slice: SliceSegmentHeader) -> Int {
    let log2 = Int(slice.sequenceParameterSet?.log2MaxPicOrderCntLSBMinus4 ?? 0) + 4
    return count(
      slice.header, lsb: Int(slice.references.slicePicOrderCntLSB), log2MaxLSB: log2)
  }

  /// Returns the `PicOrderCntVal` of a picture whose `slice_pic_order_cnt_lsb` has `log2MaxLSB` bits.
  public mutating func count(_ header: NALUnitHeader, lsb: Int, log2MaxLSB: Int) -> Int {
    let type = header.nalUnitType
    // `NoRaslOutputFlag`.
    let restarts = type.isIRAP && (type.isIDR || type.isBLA || startsSequence)
    startsSequence = false
    let maximum = 1 << log2MaxLSB
    let previousLSB = previous & (maximum - 1)
    var msb = previous - previousLSB
    if restarts {
      msb = 0
    } else if lsb < previousLSB, previousLSB - lsb >= maximum / 2 {
      msb &+= maximum
    } else if lsb > previousLSB, lsb - previousLSB > maximum / 2 {
      msb &-= maximum
    }
    let count = msb &+ lsb
    if header.temporalID == 0, !type.isRASL, !type.isRADL, !type.isSubLayerNonReference {
      previous = count
    }
    return count
  }
}
