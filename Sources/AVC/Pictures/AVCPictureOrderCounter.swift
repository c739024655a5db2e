// SPDX-License-Identifier: MIT

public import ApusBytes

/// Computes the order of H.264 pictures, picture by picture in decoding order: ITU-T H.264, 8.2.1.
///
/// It ignores `memory_management_control_operation` 5, which no common encoder uses.
public struct AVCPictureOrderCounter: Sendable {
  /// The position of a picture in output order.
  public struct Position: Hashable, Sendable {
    /// The value `PicOrderCnt`.
    public var count: Int
    /// Whether all earlier pictures are displayed before it.
    public var startsSequence: Bool
    /// Whether pictures are displayed in decoding order.
    public var isDecodingOrder: Bool
    /// Whether slices contain the count itself (`pic_order_cnt_type` 0).
    package var hasOrderBits = false
    /// Whether slices may arrive in any order, as in the profiles Baseline and Extended.
    package var mayShuffleSlices = false
  }

  private var sequences: [UInt8: AVCSequenceParameterSet] = [:]
  private var pictures: [UInt8: AVCPictureParameterSet] = [:]
  private var previous = (msb: 0, lsb: 0)
  private var lastFrameNumber = 0
  private var frameOffset = 0
  /// The value `PrevRefFrameNum`; `nil` before the first picture.
  private var lastReference: Int?
  /// The number of reference frames missing according to the frame numbers: 7.4.3, `frame_num`.
  package private(set) var missingFrames = 0

  /// Creates a counter that knows no parameter sets.
  public init() {}

  /// Adds the parameter sets of a configuration; unreadable sets are skipped.
  public mutating func add(_ configuration: AVCConfiguration) {
    sequences.merge(configuration.sequences) { _, new in new }
    for unit in configuration.pictureParameterSets {
      do throws(SyntaxError) {
        let set = try AVCPictureParameterSet.start(ofNALUnit: unit)
        pictures[set.id] = set
      } catch {
        continue
      }
    }
  }

  /// Adds the parameter sets among the NAL units of an access unit; unreadable sets are skipped.
  package mutating func add(sets units: [[UInt8]]) {
    var configuration = AVCConfiguration()
    configuration.sequenceParameterSets = units.filter { $0.avcNALUnitType == .sps }
    configuration.pictureParameterSets = units.filter { $0.avcNALUnitType == .pps }
    if !configuration.parameterSets.isEmpty { add(configuration) }
  }

  /// Returns whether two slices belong to the two fields of one frame: 7.4.1.2.4.
  package func areFields(_ first: [UInt8], _ second: [UInt8]) throws(SyntaxError) -> Bool {
    guard let first = try AVCSliceStart(nalUnit: first, pictures: pictures, sequences: sequences),
      let second = try AVCSliceStart(nalUnit: second, pictures: pictures, sequences: sequences)
    else { return false }
    return first.fieldPicFlag && second.fieldPicFlag && first.frameNum == second.frameNum
      && first.bottomFieldFlag != second.bottomFieldFlag && !second.isIDR
  }

  /// Returns whether two slices belong to one picture, and the second is not its first: 7.4.1.2.4.
  package func areSlices(_ first: [UInt8], _ second: [UInt8]) throws(SyntaxError) -> Bool {
    guard let first = try AVCSliceStart(nalUnit: first, pictures: pictures, sequences: sequences),
      let second = try AVCSliceStart(nalUnit: second, pictures: pictures, sequences: sequences)
    else { return false }
    return first.header.nalUnitType == second.header.nalUnitType
      && first.isReference == second.isReference && first.frameNum == second.frameNum
      && first.bottomFieldFlag == second.bottomFieldFlag
      && first.picOrderCntLSB == second.picOrderCntLSB && second.firstMbInSlice > 0
  }

  /// Returns the position of the picture whose first slice is among the NAL units; `nil` if there is none, or its
  /// parameter sets are unknown.
  public mutating func position(of units: [[UInt8]]) throws(SyntaxError) -> Position? {
    guard let unit = units.first(where: { $0.avcNALUnitType?.startsSlice == true }),
      let slice = try AVCSliceStart(nalUnit: unit, pictures: pictures, sequences: sequences),
      let picture = pictures[slice.pictureSetID], let sequence = sequences[picture.sequenceID]
    else { return nil }
    let frameNumber = Int(slice.frameNum)
    if slice.isIDR {
      (previous, frameOffset) = ((0, 0), 0)
    } else if lastFrameNumber > frameNumber {
      frameOffset &+= 1 << (Int(sequence.log2MaxFrameNumMinus4) + 4)
    }
    lastFrameNumber = frameNumber
    countMissing(slice, sequence)
    let count: Int
    switch sequence.pictureOrder.type {
    case 0: count = countByLSB(slice, sequence.pictureOrder)
    case 1: count = countByCycle(slice, sequence.pictureOrder)
    default:
      count = 2 &* (frameOffset &+ frameNumber) &- (slice.isReference || slice.isIDR ? 0 : 1)
    }
    return Position(
      count: count, startsSequence: slice.isIDR,
      isDecodingOrder: sequence.pictureOrder.type == 2,
      hasOrderBits: sequence.pictureOrder.type == 0,
      mayShuffleSlices: sequence.profileIDC == 66 || sequence.profileIDC == 88)
  }

  private mutating func countMissing(_ slice: AVCSliceStart, _ sequence: AVCSequenceParameterSet) {
    let number = Int(slice.frameNum)
    if !slice.isIDR, !sequence.gapsInFrameNumValueAllowedFlag, let last = lastReference {
      let ahead = (number - last) & (1 << (Int(sequence.log2MaxFrameNumMinus4) + 4) - 1)
      // The operation `memory_management_control_operation` 5 restarts at 0.
      if ahead > 1, number > 1 {
        missingFrames += ahead - 1
        // They are reported only once.
        lastReference = number - 1
      }
    }
    if slice.isReference || lastReference == nil { lastReference = number }
  }

  /// Returns the count for `pic_order_cnt_type` 0: 8.2.1.1.
  private mutating func countByLSB(_ slice: AVCSliceStart, _ order: AVCPictureOrder) -> Int {
    let lsb = Int(slice.picOrderCntLSB)
    let maximum = 1 << (Int(order.log2MaxPicOrderCntLSBMinus4) + 4)
    var msb = previous.msb
    if lsb < previous.lsb, previous.lsb - lsb >= maximum / 2 {
      msb &+= maximum
    } else if lsb > previous.lsb, lsb - previous.lsb > maximum / 2 {
      msb &-= maximum
    }
    if slice.isReference { previous = (msb, lsb) }
    return msb &+ lsb &+ min(Int(slice.deltaPicOrderCntBottom), 0)
  }

  /// Returns the count for `pic_order_cnt_type` 1: 8.2.1.2.
  private func countByCycle(_ slice: AVCSliceStart, _ order: AVCPictureOrder) -> Int {
    let cycle = order.offsetForRefFrame.map(Int.init)
    var frames = cycle.isEmpty ? 0 : frameOffset &+ Int(slice.frameNum)
    if !slice.isReference, frames > 0 { frames -= 1 }
    var count = 0
    if frames > 0 {
      let (cycles, rest) = (frames - 1).quotientAndRemainder(dividingBy: cycle.count)
      count = cycles &* cycle.reduce(0, &+) &+ cycle[...rest].reduce(0, &+)
    }
    if !slice.isReference { count &+= Int(order.offsetForNonRefPic) }
    return count &+ Int(slice.deltaPicOrderCnt)
  }
}
