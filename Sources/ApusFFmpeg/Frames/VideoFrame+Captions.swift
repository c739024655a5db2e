// SPDX-License-Identifier: MIT

internal import CApusFFmpeg

extension VideoFrame {
  /// The closed captions that came with the picture: three bytes for each packet of `cc_data()` (ANSI/CTA-708, 4.4).
  /// Pictures that filters repeat have those of their source, too.
  public var captions: [UInt8] {
    guard let data = unsafe library.call.av_frame_get_side_data(frame, AV_FRAME_DATA_A53_CC),
      let bytes = unsafe data.pointee.data
    else { return [] }
    return unsafe Array(UnsafeBufferPointer(start: bytes, count: Int(data.pointee.size)))
  }
}
