// SPDX-License-Identifier: MIT

internal import Bytes
internal import ISOBMFF

/// Picture order counts of AVC, picture by picture in decoding order: ITU-T H.264, 8.2.1.
///
/// `memory_management_control_operation` 5, which no common encoder uses, is not looked for.
struct AVCOrderReader: Sendable {
  private struct Picture {
    var sequence: UInt32 = 0
    /// `bottom_field_pic_order_in_frame_present_flag`.
    var hasDeltas = false
  }

  private var sequences: [UInt32: AVCOrderParameters] = [:]
  private var pictures: [UInt32: Picture] = [:]
  private var previous = (msb: 0, lsb: 0)
  private var lastFrameNumber = 0
  private var frameOffset = 0

  mutating func add(_ record: [UInt8]) {
    var reader = SyntaxReader(MemorySource(record))
    var configuration = AVCConfiguration()
    do throws(SyntaxError) {
      try configuration.syntax(&reader)
    } catch {
      return
    }
    for unit in configuration.sequenceParameterSets {
      if let read = AVCSequence(nalUnit: unit) { sequences[read.order.id] = read.order }
    }
    for unit in configuration.pictureParameterSets { add(pictureSet: unit) }
  }

  private mutating func add(pictureSet unit: [UInt8]) {
    var reader = SyntaxReader(escaped: Array(unit.dropFirst().prefix(16)))
    var id: UInt32 = 0
    var picture = Picture()
    var bit = false
    do throws(SyntaxError) {
      try reader.ue("pic_parameter_set_id", &id, in: 0...255)
      try reader.ue("seq_parameter_set_id", &picture.sequence, in: 0...31)
      try reader.flag("entropy_coding_mode_flag", &bit)
      try reader.flag("bottom_field_pic_order_in_frame_present_flag", &picture.hasDeltas)
    } catch {
      return
    }
    pictures[id] = picture
  }

  /// The count of the picture whose first slice is among the NAL units; `nil` where it cannot be told.
  ///
  /// - Parameter reorder: how many pictures may wait for one that is shown before them.
  mutating func order(of units: [[UInt8]], reorder: Int) throws(SyntaxError) -> PictureOrder? {
    guard let slice = units.first(where: AVCSets.Unit.isPicture), let first = slice.first else {
      return nil
    }
    let isIDR = first & 31 == AVCSets.Unit.idr
    let isReference = first >> 5 & 3 != 0
    var v = SyntaxReader(escaped: Array(slice.dropFirst().prefix(64)))
    var number: UInt32 = 0
    var bit = false
    try v.ue("first_mb_in_slice", &number)
    try v.ue("slice_type", &number, in: 0...9)
    try v.ue("pic_parameter_set_id", &number, in: 0...255)
    guard let picture = pictures[number], let sequence = sequences[picture.sequence] else {
      return nil
    }
    if sequence.hasSeparatePlanes { try v.u(2, "colour_plane_id", &number) }
    var frameNumber: UInt32 = 0
    try v.u(sequence.frameNumberBits, "frame_num", &frameNumber)
    var isField = false
    if !sequence.isFramesOnly { try v.flag("field_pic_flag", &isField) }
    if isField { try v.flag("bottom_field_flag", &bit) }
    if isIDR { try v.ue("idr_pic_id", &number) }
    if isIDR {
      (previous, frameOffset) = ((0, 0), 0)
    } else if lastFrameNumber > Int(frameNumber) {
      frameOffset &+= 1 << sequence.frameNumberBits
    }
    lastFrameNumber = Int(frameNumber)
    var bounds = OutputOrder.Bounds()
    bounds.reorder = sequence.type == 2 ? 0 : min(reorder, OutputOrder.most)
    let count: Int
    switch sequence.type {
    case 0:
      count = try byLSB(&v, sequence, isReference, hasDelta: picture.hasDeltas && !isField)
    case 1: count = try byCycle(&v, sequence, isReference, Int(frameNumber))
    default:
      count = 2 &* (frameOffset &+ Int(frameNumber)) &- (isReference || isIDR ? 0 : 1)
    }
    return PictureOrder(count: count, startsSequence: isIDR, bounds: bounds)
  }

  /// 8.2.1.1.
  private mutating func byLSB(
    _ v: inout SyntaxReader, _ sequence: AVCOrderParameters, _ isReference: Bool, hasDelta: Bool
  ) throws(SyntaxError) -> Int {
    var coded: UInt32 = 0
    var delta: Int32 = 0
    try v.u(sequence.lsbBits, "pic_order_cnt_lsb", &coded)
    if hasDelta { try v.se("delta_pic_order_cnt_bottom", &delta) }
    let lsb = Int(coded)
    let maximum = 1 << sequence.lsbBits
    var msb = previous.msb
    if lsb < previous.lsb, previous.lsb - lsb >= maximum / 2 {
      msb &+= maximum
    } else if lsb > previous.lsb, lsb - previous.lsb > maximum / 2 {
      msb &-= maximum
    }
    if isReference { previous = (msb, lsb) }
    return msb &+ lsb &+ min(Int(delta), 0)
  }

  /// 8.2.1.2.
  private func byCycle(
    _ v: inout SyntaxReader, _ sequence: AVCOrderParameters, _ isReference: Bool, _ number: Int
  ) throws(SyntaxError) -> Int {
    var delta: Int32 = 0
    if !sequence.hasNoDeltas { try v.se("delta_pic_order_cnt", &delta) }
    var frames = sequence.cycle.isEmpty ? 0 : frameOffset &+ number
    if !isReference, frames > 0 { frames -= 1 }
    var count = 0
    if frames > 0 {
      let (cycles, rest) = (frames - 1).quotientAndRemainder(dividingBy: sequence.cycle.count)
      let whole = sequence.cycle.reduce(0, &+)
      count = cycles &* whole &+ sequence.cycle[...rest].reduce(0, &+)
    }
    if !isReference { count &+= sequence.offsetForOthers }
    return count &+ Int(delta)
  }
}
