// SPDX-License-Identifier: MIT

internal import ApusMedia
internal import CApusFFmpeg

/// An open decoder of libavcodec with the packet for its input.
@safe final class DecoderContext {
  let library: LibAV
  let context: UnsafeMutablePointer<AVCodecContext>
  let name: String
  private let call: apus_ffmpeg
  private let packet: UnsafeMutablePointer<AVPacket>
  /// The frames that came out while it accepted no input.
  private var ready: [Held] = unsafe []
  private var isFinished = false
  /// The number of samples that were sent.
  private var count: Int64 = 0
  /// The watch, which threads of the decoder use until the context is freed.
  private let watch: DecoderWatch?

  @unsafe private struct Held {
    let frame: UnsafeMutablePointer<AVFrame>
  }

  /// - Parameters:
  ///   - watch: the value for the context's `opaque`.
  ///   - configure: sets special properties before the decoder opens.
  init(
    _ stream: CodedStream, options: DecoderOptions, library: LibAV, watch: DecoderWatch? = nil,
    configure: (UnsafeMutablePointer<AVCodecContext>) -> Void
  ) throws(MediaError) {
    self.library = library
    self.watch = watch
    call = library.call
    guard let decoder = unsafe library.decoder(named: stream.codec) else {
      throw MediaError(.unsupported, "\(stream.codec) cannot be decoded by this libavcodec")
    }
    name = unsafe "\(String(cString: decoder.pointee.name)) (libavcodec \(library.version))"
    var created = unsafe call.avcodec_alloc_context3(decoder)
    guard let context = unsafe created, let packet = unsafe call.av_packet_alloc() else {
      unsafe call.avcodec_free_context(&created)
      throw .noMemory("a decoder")
    }
    unsafe self.context = unsafe context
    unsafe self.packet = unsafe packet
    try unsafe library.set(stream, on: context)
    unsafe context.pointee.thread_count = Int32(clamping: options.threads)
    unsafe context.pointee.max_pixels = Int64(options.pixelLimit)
    if !options.isSalvaging {
      unsafe context.pointee.err_recognition = AV_EF_CRCCHECK | AV_EF_EXPLODE
    }
    if let watch { unsafe context.pointee.opaque = Unmanaged.passUnretained(watch).toOpaque() }
    unsafe apus_number_frames(context)
    unsafe configure(context)
    let (code, words) = LibraryLog.listening {
      unsafe library.call.avcodec_open2(context, decoder, nil)
    }
    guard code >= 0 else {
      throw MediaError(
        .corrupt, "the configuration of \(stream.codec) is refused: \(library.text(code, words))")
    }
  }

  deinit {
    for index in unsafe ready.indices {
      var frame: UnsafeMutablePointer<AVFrame>? = unsafe ready[index].frame
      unsafe call.av_frame_free(&frame)
    }
    var context: UnsafeMutablePointer<AVCodecContext>? = unsafe context
    unsafe call.avcodec_free_context(&context)
    var packet: UnsafeMutablePointer<AVPacket>? = unsafe packet
    unsafe call.av_packet_free(&packet)
  }

  /// Sends a sample; returns the library's reason if it refused it.
  func send(
    _ bytes: RawSpan, decodeTime: Int64, presentationTime: Int64, duration: Int64, isKey: Bool
  ) throws(MediaError) -> String? {
    guard !isFinished else { throw MediaError(.misuse, "a sample comes after the last") }
    guard let size = Int32(exactly: bytes.byteCount), size > 0,
      unsafe call.av_new_packet(packet, size) >= 0
    else { throw .noMemory("a sample of \(bytes.byteCount) bytes") }
    defer { unsafe call.av_packet_unref(packet) }
    unsafe bytes.withUnsafeBytes { source in
      if let start = source.baseAddress {
        unsafe UnsafeMutableRawPointer(packet.pointee.data).copyMemory(
          from: start, byteCount: source.count)
      }
    }
    unsafe packet.pointee.pts = presentationTime
    unsafe packet.pointee.dts = decodeTime
    unsafe packet.pointee.duration = duration
    unsafe apus_set_number(packet, count)
    count += 1
    if isKey { unsafe packet.pointee.flags |= AV_PKT_FLAG_KEY }
    return try unsafe send(packet)
  }

  /// Marks the end of the input.
  func finish() throws(MediaError) -> String? {
    guard !isFinished else { return nil }
    isFinished = true
    return try unsafe send(nil)
  }

  private func send(_ packet: UnsafeMutablePointer<AVPacket>?) throws(MediaError) -> String? {
    while true {
      let (code, words) = LibraryLog.listening {
        unsafe call.avcodec_send_packet(context, packet)
      }
      if code == apus_error_again {
        // It accepts no more before a frame is taken out.
        let (frame, refusal) = try unsafe receive()
        if let refusal { return refusal }
        guard let frame = unsafe frame else {
          throw MediaError(.unsupported, "the decoder accepts no sample and returns no picture")
        }
        unsafe ready.append(Held(frame: frame))
        continue
      }
      return code >= 0 || code == apus_error_eof ? nil : library.text(code, words)
    }
  }

  /// Returns the next frame, which the caller frees, or the library's reason for refusing it; neither if another sample
  /// is needed first, or after the last.
  @unsafe func next() throws(MediaError) -> (UnsafeMutablePointer<AVFrame>?, refusal: String?) {
    if unsafe !ready.isEmpty { return unsafe (ready.removeFirst().frame, nil) }
    return try unsafe receive()
  }

  private func receive() throws(MediaError) -> (UnsafeMutablePointer<AVFrame>?, refusal: String?) {
    var frame = unsafe call.av_frame_alloc()
    guard unsafe frame != nil else { throw .noMemory("a picture") }
    let (code, words) = LibraryLog.listening {
      unsafe call.avcodec_receive_frame(context, frame)
    }
    if code >= 0 { return unsafe (frame, nil) }
    unsafe call.av_frame_free(&frame)
    let isOver = code == apus_error_again || code == apus_error_eof
    return (nil, isOver ? nil : library.text(code, words))
  }

  func restart() {
    for index in unsafe ready.indices {
      var frame: UnsafeMutablePointer<AVFrame>? = unsafe ready[index].frame
      unsafe call.av_frame_free(&frame)
    }
    unsafe ready = []
    isFinished = false
    count = 0
    unsafe call.avcodec_flush_buffers(context)
  }
}
