// SPDX-License-Identifier: MIT

internal import ApusMedia
internal import CApusFFmpeg

extension LibAV {
  /// Returns a decoder by the name of a codec, or of one of its decoders.
  @unsafe func decoder(named name: String) -> UnsafePointer<AVCodec>? {
    if let codec = unsafe call.avcodec_descriptor_get_by_name(name),
      let decoder = unsafe call.avcodec_find_decoder(codec.pointee.id)
    {
      return unsafe decoder
    }
    return unsafe call.avcodec_find_decoder_by_name(name)
  }

  /// Sets the properties known from the container in a context.
  @unsafe func set(
    _ stream: CodedStream, on context: UnsafeMutablePointer<AVCodecContext>
  ) throws(MediaError) {
    unsafe context.pointee.pkt_timebase = AVRational(num: 1, den: Int32(clamping: stream.timescale))
    unsafe context.pointee.width = Int32(clamping: stream.width)
    unsafe context.pointee.height = Int32(clamping: stream.height)
    unsafe context.pointee.sample_rate = Int32(clamping: stream.sampleRate)
    unsafe context.pointee.codec_tag = stream.tag
    unsafe context.pointee.bits_per_coded_sample = Int32(clamping: stream.bitsPerSample)
    unsafe context.pointee.block_align = Int32(clamping: stream.blockSize)
    if !stream.pixelFormat.isEmpty {
      unsafe context.pointee.pix_fmt = call.av_get_pix_fmt(stream.pixelFormat)
    }
    if !stream.sampleFormat.isEmpty {
      unsafe context.pointee.sample_fmt = call.av_get_sample_fmt(stream.sampleFormat)
    }
    if stream.channels > 0 {
      unsafe call.av_channel_layout_default(
        &context.pointee.ch_layout, Int32(clamping: stream.channels))
    }
    guard !stream.configuration.isEmpty else { return }
    let padding = Int(AV_INPUT_BUFFER_PADDING_SIZE)
    guard let size = Int32(exactly: stream.configuration.count),
      let memory = unsafe call.av_mallocz(stream.configuration.count + padding)
    else { throw .noMemory("a configuration") }
    unsafe memory.copyMemory(from: stream.configuration, byteCount: stream.configuration.count)
    // Freed with the context.
    unsafe context.pointee.extradata = memory.assumingMemoryBound(to: UInt8.self)
    unsafe context.pointee.extradata_size = size
  }

  /// Returns the text of an error code, with the messages logged about it.
  func text(_ code: Int32, _ words: String) -> String {
    words.isEmpty ? text(code) : "\(text(code)) (\(words))"
  }
}
