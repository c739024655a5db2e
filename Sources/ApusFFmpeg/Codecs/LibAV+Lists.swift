// SPDX-License-Identifier: MIT

internal import CApusFFmpeg

/// The values that a codec accepts, in lists ended by a terminator; `nil` for any.
extension LibAV {
  @unsafe func pixelFormats(of codec: UnsafePointer<AVCodec>) -> UnsafePointer<AVPixelFormat>? {
    var table = call
    return unsafe apus_pixel_formats(&table, codec)
  }

  @unsafe func sampleFormats(of codec: UnsafePointer<AVCodec>) -> UnsafePointer<AVSampleFormat>? {
    var table = call
    return unsafe apus_sample_formats(&table, codec)
  }

  @unsafe func sampleRates(of codec: UnsafePointer<AVCodec>) -> UnsafePointer<Int32>? {
    var table = call
    return unsafe apus_sample_rates(&table, codec)
  }

  @unsafe func channelLayouts(of codec: UnsafePointer<AVCodec>) -> UnsafePointer<AVChannelLayout>? {
    var table = call
    return unsafe apus_channel_layouts(&table, codec)
  }
}
