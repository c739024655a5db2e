// SPDX-License-Identifier: MIT

internal import ApusMedia
internal import CApusFFmpeg

/// An open encoder of libavcodec with the packet for its output.
@safe final class EncoderContext {
  let library: LibAV
  let context: UnsafeMutablePointer<AVCodecContext>
  let name: String
  private let packet: UnsafeMutablePointer<AVPacket>
  private var isFinished = false

  /// - Parameters:
  ///   - options: options of the encoder, or of libavcodec, by name.
  ///   - configure: sets other properties before the encoder opens.
  init(
    _ codec: String, options: [VideoEncoderSettings.Option], library: LibAV,
    configure: (UnsafeMutablePointer<AVCodecContext>) throws(MediaError) -> Void
  ) throws(MediaError) {
    self.library = library
    guard let encoder = unsafe library.call.avcodec_find_encoder_by_name(codec) else {
      throw MediaError(.unsupported, "this libavcodec has no encoder \(codec)")
    }
    name = "\(codec) (libavcodec \(library.version))"
    var created = unsafe library.call.avcodec_alloc_context3(encoder)
    guard let context = unsafe created, let packet = unsafe library.call.av_packet_alloc() else {
      unsafe library.call.avcodec_free_context(&created)
      throw .noMemory("an encoder")
    }
    unsafe self.context = unsafe context
    unsafe self.packet = unsafe packet
    unsafe context.pointee.flags |= AV_CODEC_FLAG_GLOBAL_HEADER
    try unsafe configure(context)
    try unsafe open(codec, encoder, options)
  }

  deinit {
    var context: UnsafeMutablePointer<AVCodecContext>? = unsafe context
    unsafe library.call.avcodec_free_context(&context)
    var packet: UnsafeMutablePointer<AVPacket>? = unsafe packet
    unsafe library.call.av_packet_free(&packet)
  }

  private func open(
    _ codec: String, _ encoder: UnsafePointer<AVCodec>, _ options: [VideoEncoderSettings.Option]
  ) throws(MediaError) {
    var list: OpaquePointer?
    defer { unsafe library.call.av_dict_free(&list) }
    for option in options {
      guard unsafe library.call.av_dict_set(&list, option.name, option.value, 0) >= 0
      else { throw .noMemory("an encoder") }
    }
    let (code, words) = LibraryLog.listening {
      unsafe library.call.avcodec_open2(context, encoder, &list)
    }
    guard code >= 0 else {
      throw MediaError(
        .misuse, "the encoder \(codec) refuses its settings: \(library.text(code, words))")
    }
    // The options that it knows were removed from the list.
    if let left = unsafe library.call.av_dict_get(list, "", nil, AV_DICT_IGNORE_SUFFIX) {
      let name = unsafe String(cString: left.pointee.key)
      throw MediaError(.misuse, "the encoder \(codec) has no option \(name)")
    }
  }

  /// The data that a container holds outside of the samples.
  var configuration: [UInt8] {
    guard let start = unsafe context.pointee.extradata else { return [] }
    return unsafe [UInt8](
      UnsafeBufferPointer(start: start, count: Int(context.pointee.extradata_size)))
  }

  /// Returns the description of the stream for a decoder, as a container would provide it.
  ///
  /// - Parameter codec: the name of the codec, not the encoder's.
  func stream(_ codec: String, timescale: UInt32) -> CodedStream {
    var stream = CodedStream(codec, configuration: configuration, timescale: timescale)
    stream.width = unsafe Int(context.pointee.width)
    stream.height = unsafe Int(context.pointee.height)
    stream.sampleRate = unsafe Int(context.pointee.sample_rate)
    stream.channels = unsafe Int(context.pointee.ch_layout.nb_channels)
    stream.tag = unsafe context.pointee.codec_tag
    stream.bitsPerSample = unsafe Int(context.pointee.bits_per_coded_sample)
    stream.blockSize = unsafe Int(context.pointee.block_align)
    if let name = unsafe library.call.av_get_pix_fmt_name(context.pointee.pix_fmt) {
      stream.pixelFormat = unsafe String(cString: name)
    }
    if let name = unsafe library.call.av_get_sample_fmt_name(context.pointee.sample_fmt) {
      stream.sampleFormat = unsafe String(cString: name)
    }
    return stream
  }

  /// Adds a frame, which the caller still owns; `nil` marks the end.
  @unsafe func send(
    _ frame: UnsafeMutablePointer<AVFrame>?, at time: RationalTime?
  ) throws(MediaError) {
    guard !isFinished else {
      if unsafe frame == nil { return }
      throw MediaError(.misuse, "a frame comes after the last", at: time)
    }
    isFinished = unsafe frame == nil
    let (code, words) = LibraryLog.listening {
      unsafe library.call.avcodec_send_frame(context, frame)
    }
    guard code != apus_error_again else {
      throw MediaError(.misuse, "packets must be taken before the encoder takes more", at: time)
    }
    guard code >= 0 else { throw failure(code, words, at: time) }
  }

  /// Passes the next packet to `body`; returns `nil` if another frame is needed first, or after the last.
  @unsafe func next<Result>(
    _ body: (UnsafeMutablePointer<AVPacket>) throws(MediaError) -> Result
  ) throws(MediaError) -> Result? {
    let (code, words) = LibraryLog.listening {
      unsafe library.call.avcodec_receive_packet(context, packet)
    }
    if code == apus_error_again || code == apus_error_eof { return nil }
    guard code >= 0 else { throw failure(code, words, at: nil) }
    defer { unsafe library.call.av_packet_unref(packet) }
    return try unsafe body(packet)
  }

  private func failure(_ code: Int32, _ words: String, at time: RationalTime?) -> MediaError {
    MediaError(.unsupported, "cannot be encoded: \(library.text(code, words))", at: time)
  }
}
