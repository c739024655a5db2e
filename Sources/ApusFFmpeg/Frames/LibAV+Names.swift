// SPDX-License-Identifier: MIT

internal import CApusFFmpeg

extension LibAV {
  @unsafe func name(of layout: UnsafePointer<AVChannelLayout>) -> String {
    var buffer = [CChar](repeating: 0, count: 256)
    _ = unsafe call.av_channel_layout_describe(layout, &buffer, buffer.count)
    return Self.string(buffer)
  }

  /// Returns the name of a layout; for an unknown one, that of the usual layout for its number of channels.
  @unsafe func usableName(of layout: UnsafePointer<AVChannelLayout>) -> String {
    guard unsafe layout.pointee.order == AV_CHANNEL_ORDER_UNSPEC else {
      return unsafe name(of: layout)
    }
    var assumed = unsafe AVChannelLayout()
    defer { unsafe call.av_channel_layout_uninit(&assumed) }
    unsafe call.av_channel_layout_default(&assumed, layout.pointee.nb_channels)
    return unsafe name(of: &assumed)
  }

  /// Converts a null-terminated text.
  static func string(_ buffer: [CChar]) -> String {
    String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
