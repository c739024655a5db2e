// SPDX-License-Identifier: MIT

package import AVC
internal import ApusBytes

/// Searches headers for signs that pictures of an H.264 stream, or parts of them, are missing.
package struct AVCPictureCheck: Sendable {
  private var doubts = PictureDoubts()
  private var gaps = OrderGaps()
  private var slices = SliceCounts()
  /// The number of pictures so far.
  private var count = 0
  /// The number of frames that the counter missed up to the last picture.
  private var missingFrames = 0

  package init() {}

  package var words: [String] { doubts.words + gaps.words + slices.words }

  /// Checks the next access unit with a picture.
  ///
  /// - Parameter counter: the counter after it counted that picture.
  package mutating func look(
    at units: [[UInt8]], _ position: AVCPictureOrderCounter.Position,
    _ counter: AVCPictureOrderCounter
  ) {
    count += 1
    doubts.add(.reference, in: count, count: counter.missingFrames - missingFrames)
    missingFrames = counter.missingFrames
    if position.hasOrderBits {
      gaps.add(
        position.count, number: count, startsSequence: position.startsSequence || count == 1,
        isOpen: !position.startsSequence)
    }
    var address: UInt32?
    var number = 0
    for unit in units {
      guard let header = AVCNALUnitHeader(of: unit) else { continue }
      if header.forbiddenZeroBit || !header.nalUnitType.hasMeaning {
        doubts.add(.header, in: count)
      }
      if StartCode.firstForbidden(in: unit.span) != nil { doubts.add(.bytes, in: count) }
      guard header.nalUnitType.startsSlice else { continue }
      number += 1
      guard !position.mayShuffleSlices else { continue }
      do throws(SyntaxError) {
        let first = try AVCSliceStart.firstMacroblock(ofNALUnit: unit)
        if let last = address {
          // The second field of a frame begins again at the first macroblock.
          if first > 0, first <= last { doubts.add(.slice, in: count) }
        } else if first > 0 {
          doubts.add(.start, in: count)
        }
        address = first
      } catch {
        doubts.add(.slice, in: count)
      }
    }
    slices.add(number, in: count)
  }
}

extension AVCNALUnitType {
  /// Whether this edition of the standard defines its meaning, or leaves it to applications.
  fileprivate var hasMeaning: Bool {
    !(17...18).contains(rawValue) && !(22...23).contains(rawValue)
  }
}
