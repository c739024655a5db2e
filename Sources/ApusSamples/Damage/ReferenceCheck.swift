// SPDX-License-Identifier: MIT

internal import HEVC

/// Tracks which HEVC pictures are kept for reference: ITU-T H.265, 8.3.2.
struct ReferenceCheck: Sendable {
  /// The order counts of the pictures that are kept.
  private var kept: [Int] = []
  /// Whether the pictures that follow are skipped where decoding begins (RASL), because they refer to earlier ones.
  private(set) var skipsLeading = false

  /// Checks a picture by its first slice.
  ///
  /// - Parameter startsSequence: `NoRaslOutputFlag`.
  /// - Returns: the number of pictures to which it may refer that are missing and were not reported before.
  mutating func missing(_ slice: SliceSegmentHeader, count: Int, startsSequence: Bool) -> Int {
    let type = slice.header.nalUnitType
    if type.isIRAP { skipsLeading = startsSequence && !type.isIDR }
    if type.isRASL, skipsLeading { return 0 }
    var missing = 0
    if startsSequence || type.isIDR {
      kept = []
    } else {
      var next: [Int] = []
      for (wanted, isUsed) in Self.references(of: slice, count: count) {
        if let found = kept.first(where: { wanted.isMet(by: $0) }) {
          next.append(found)
        } else if isUsed {
          // Added, so that it is reported only once.
          next.append(wanted.count)
          missing += 1
        }
      }
      kept = next
    }
    kept.append(count)
    return missing
  }

  /// A picture, identified by its order count, or by some low bits of it.
  private struct Wanted {
    var count: Int
    /// The bits of the count that are known.
    var mask = -1

    func isMet(by other: Int) -> Bool { other & mask == count & mask }
  }

  private static func references(of slice: SliceSegmentHeader, count: Int) -> [(Wanted, Bool)] {
    let references = slice.references
    var result = (references.deltas.negative + references.deltas.positive).map { picture in
      (Wanted(count: count &+ picture.deltaPOC), picture.isUsed)
    }
    guard !references.longTerm.isEmpty, let sequence = slice.parameterSets?.sequence else {
      return result
    }
    let maximum = 1 << (Int(sequence.log2MaxPicOrderCntLSBMinus4) + 4)
    let known = sequence.longTermReferencePictures
    var cycles = 0
    for (index, picture) in references.longTerm.enumerated() {
      let isNamed = index < Int(references.numLongTermSPS)
      let entry = Int(picture.ltIdxSPS)
      guard !isNamed || known.indices.contains(entry) else { continue }
      let bits = Int(isNamed ? known[entry].ltRefPicPOCLSBSPS : picture.pocLSBLT)
      let isUsed = isNamed ? known[entry].usedByCurrPicLTSPSFlag : picture.usedByCurrPicLTFlag
      // (7-52)
      if index == 0 || index == Int(references.numLongTermSPS) { cycles = 0 }
      cycles &+= Int(picture.deltaPOCMSBCycleLT)
      let whole = count &- cycles &* maximum &- (count & (maximum - 1)) &+ bits
      result.append(
        picture.deltaPOCMSBPresentFlag
          ? (Wanted(count: whole), isUsed) : (Wanted(count: bits, mask: maximum - 1), isUsed))
    }
    return result
  }
}
