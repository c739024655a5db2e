// SPDX-License-Identifier: MIT

internal import ApusMedia
internal import CApusFFmpeg

/// An open decoder of libavcodec, with the packet and the frame that it works with.
@safe final class DecodingSession {
  let codec: PictureCodec
  let configuration: [UInt8]
  let isStrict: Bool
  private let library: LibAV
  private let call: apus_ffmpeg
  private let buffers: PictureBuffers
  private var context: UnsafeMutablePointer<AVCodecContext>?
  private var packet: UnsafeMutablePointer<AVPacket>?
  private var frame: UnsafeMutablePointer<AVFrame>?

  /// - Parameter isStrict: whether damage is an error; otherwise the decoder conceals it.
  init(
    _ picture: CodedPicture, threads: Int, isStrict: Bool, library: LibAV
  ) throws(MediaError) {
    codec = picture.codec
    configuration = picture.configuration
    self.isStrict = isStrict
    self.library = library
    call = library.call
    buffers = PictureBuffers(library)
    guard let decoder = unsafe library.decoder(for: codec) else {
      throw MediaError(.unsupported, "\(codec.name) cannot be decoded by this libavcodec")
    }
    unsafe context = unsafe call.avcodec_alloc_context3(decoder)
    unsafe packet = call.av_packet_alloc()
    unsafe frame = call.av_frame_alloc()
    guard let context = unsafe context, unsafe packet != nil, unsafe frame != nil else {
      throw MediaError(.memory, "not enough memory for a decoder")
    }
    try unsafe setConfiguration(context)
    unsafe context.pointee.max_pixels = Int64(picture.pixelLimit)
    unsafe context.pointee.thread_count = Int32(clamping: threads)
    unsafe context.pointee.thread_type = FF_THREAD_SLICE
    unsafe context.pointee.flags |= AV_CODEC_FLAG_LOW_DELAY
    // Only in AV1 grain is part of the picture; elsewhere it is left to the program that displays it.
    if codec != .av1 {
      unsafe context.pointee.export_side_data |= AV_CODEC_EXPORT_DATA_FILM_GRAIN
    }
    // The buffers live as long as this object, which frees the context first.
    unsafe context.pointee.opaque = Unmanaged.passUnretained(buffers).toOpaque()
    unsafe context.pointee.get_buffer2 = { context, frame, flags in
      unsafe PictureBuffers.allocate(context, frame, flags)
    }
    if isStrict {
      unsafe context.pointee.err_recognition =
        AV_EF_CRCCHECK | AV_EF_BITSTREAM | AV_EF_BUFFER | AV_EF_EXPLODE
      unsafe context.pointee.error_concealment = 0
    }
    let code = unsafe call.avcodec_open2(context, decoder, nil)
    guard code >= 0 else {
      throw MediaError(
        .corrupt, "the configuration record is refused: \(library.text(code))")
    }
  }

  deinit {
    unsafe call.avcodec_free_context(&context)
    unsafe call.av_packet_free(&packet)
    unsafe call.av_frame_free(&frame)
  }

  private func setConfiguration(_ context: UnsafeMutablePointer<AVCodecContext>)
    throws(MediaError)
  {
    guard !configuration.isEmpty else { return }
    let padding = Int(AV_INPUT_BUFFER_PADDING_SIZE)
    guard let size = Int32(exactly: configuration.count),
      let memory = unsafe call.av_mallocz(configuration.count + padding)
    else { throw MediaError(.memory, "not enough memory for a configuration record") }
    unsafe memory.copyMemory(from: configuration, byteCount: configuration.count)
    // Freed with the context.
    unsafe context.pointee.extradata = memory.assumingMemoryBound(to: UInt8.self)
    unsafe context.pointee.extradata_size = size
  }

  /// Decodes samples and passes on the picture of the last one, once.
  func decode(
    _ picture: CodedPicture, _ body: (PictureView) throws(MediaError) -> Void
  ) throws(MediaError) {
    unsafe call.avcodec_flush_buffers(context)
    unsafe context?.pointee.max_pixels = Int64(picture.pixelLimit)
    buffers.forget()
    let samples = picture.samples
    var wanted = Wanted(time: Int64(samples.count - 1))
    let framing = codec == .hevc ? UnitFraming(picture) : nil
    for (index, sample) in samples.enumerated() {
      let before = buffers.count
      do throws(MediaError) {
        try send(sample, time: Int64(index))
      } catch {
        if isStrict { throw error.inside(picture.name(ofSample: index)) }
      }
      guard !isStrict || buffers.count <= before + 1 || framing?.isRandomAccess(sample) != false
      else {
        throw MediaError(.incomplete, "is predicted from a missing picture")
      }
      try unsafe receive(&wanted, body)
    }
    // A decoder of a stream that allows reordering holds its picture back until the end is marked.
    let code = unsafe call.avcodec_send_packet(context, nil)
    guard code >= 0 || code == apus_error_eof else { throw failure(code) }
    try unsafe receive(&wanted, body)
    guard wanted.isFound else { throw MediaError(.incomplete, "has no picture") }
  }

  /// The requested picture, by the number of its sample.
  private struct Wanted {
    let time: Int64
    var isFound = false
  }

  private func send(_ sample: [UInt8], time: Int64) throws(MediaError) {
    guard let size = Int32(exactly: sample.count),
      let packet = unsafe packet, unsafe call.av_new_packet(packet, size) >= 0
    else { throw MediaError(.memory, "not enough memory for a sample") }
    defer { unsafe call.av_packet_unref(packet) }
    unsafe UnsafeMutableRawPointer(packet.pointee.data)?.copyMemory(
      from: sample, byteCount: sample.count)
    unsafe packet.pointee.pts = time
    let code = unsafe call.avcodec_send_packet(context, packet)
    guard code >= 0 else { throw failure(code) }
  }

  private func receive(
    _ wanted: inout Wanted, _ body: (PictureView) throws(MediaError) -> Void
  ) throws(MediaError) {
    guard let frame = unsafe frame else { return }
    while true {
      let code = unsafe call.avcodec_receive_frame(context, frame)
      if code == apus_error_again || code == apus_error_eof { return }
      guard code >= 0 else { throw failure(code) }
      defer { unsafe call.av_frame_unref(frame) }
      // The pictures from which it is predicted have to be whole too.
      if isStrict, let damage = unsafe library.damage(of: frame) ?? missingBlock(frame) {
        throw damage
      }
      guard unsafe frame.pointee.pts == wanted.time else { continue }
      if wanted.isFound {
        guard isStrict else { return }
        throw MediaError(.corrupt, "holds more than one picture")
      }
      wanted.isFound = true
      try unsafe body(library.view(of: frame))
    }
  }

  private func missingBlock(_ frame: UnsafeMutablePointer<AVFrame>) -> MediaError? {
    guard let block = unsafe buffers.uncovered(frame) else { return nil }
    return MediaError(
      .incomplete,
      "lacks part of its picture: no slice covers the block at column \(block.x), row \(block.y)")
  }

  private func failure(_ code: Int32) -> MediaError {
    MediaError(.corrupt, "cannot be decoded: \(library.text(code))")
  }
}
