// SPDX-License-Identifier: MIT

/// What a sequence parameter set of AVC says of the order of its pictures: ITU-T H.264, 7.4.2.1.1.
struct AVCOrderParameters: Hashable, Sendable {
  var id: UInt32 = 0
  /// Of `frame_num`.
  var frameNumberBits = 4
  /// `pic_order_cnt_type`.
  var type = 2
  /// Of `pic_order_cnt_lsb`.
  var lsbBits = 4
  var hasNoDeltas = false
  var offsetForOthers = 0
  /// `offset_for_ref_frame`.
  var cycle: [Int] = []
  var isFramesOnly = true
  var hasSeparatePlanes = false
}
