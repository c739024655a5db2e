// SPDX-License-Identifier: MIT

internal import CFFmpeg

extension LibAV {
  @unsafe func name(of layout: UnsafePointer<AVChannelLayout>) -> String {
    var buffer = [CChar](repeating: 0, count: 256)
    _ = unsafe call.av_channel_layout_describe?(layout, &buffer, buffer.count)
    return Self.string(buffer)
  }

  /// The same for a layout that is not known: what so many channels mostly are.
  @unsafe func usableName(of layout: UnsafePointer<AVChannelLayout>) -> String {
    guard unsafe layout.pointee.order == AV_CHANNEL_ORDER_UNSPEC else {
      return unsafe name(of: layout)
    }
    var assumed = unsafe AVChannelLayout()
    defer { unsafe call.av_channel_layout_uninit?(&assumed) }
    unsafe call.av_channel_layout_default?(&assumed, layout.pointee.nb_channels)
    return unsafe name(of: &assumed)
  }

  /// Text that ends with a zero.
  static func string(_ buffer: [CChar]) -> String {
    String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
