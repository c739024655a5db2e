// SPDX-License-Identifier: MIT

internal import CFFmpeg
internal import Media

/// An open decoder of libavcodec, with the packet and the frame that it works with.
@safe final class DecodingSession {
  let codec: PictureCodec
  let configuration: [UInt8]
  private let library: LibAV
  private let call: apus_ffmpeg
  private let marks: CoverageMarks
  private var context: UnsafeMutablePointer<AVCodecContext>?
  private var packet: UnsafeMutablePointer<AVPacket>?
  private var frame: UnsafeMutablePointer<AVFrame>?

  init(
    _ codec: PictureCodec, configuration: [UInt8], threads: Int, salvaging: Bool, library: LibAV
  ) throws(PictureError) {
    self.codec = codec
    self.configuration = configuration
    self.library = library
    call = library.call
    marks = CoverageMarks(library)
    guard let decoder = unsafe library.decoder(for: codec) else {
      throw PictureError(.unsupported, "\(codec.name) is not decoded by this libavcodec")
    }
    unsafe context = unsafe call.avcodec_alloc_context3?(decoder)
    unsafe packet = call.av_packet_alloc?()
    unsafe frame = call.av_frame_alloc?()
    guard let context = unsafe context, unsafe packet != nil, unsafe frame != nil else {
      throw PictureError(.memory, "there is no memory for a decoder")
    }
    try unsafe setConfiguration(context)
    unsafe context.pointee.thread_count = Int32(threads)
    unsafe context.pointee.thread_type = FF_THREAD_SLICE
    unsafe context.pointee.flags |= AV_CODEC_FLAG_LOW_DELAY
    // The marks live as long as this object, which frees the context first.
    unsafe context.pointee.opaque = Unmanaged.passUnretained(marks).toOpaque()
    unsafe context.pointee.get_buffer2 = { context, frame, flags in
      unsafe CoverageMarks.allocate(context, frame, flags)
    }
    if !salvaging {
      unsafe context.pointee.err_recognition =
        AV_EF_CRCCHECK | AV_EF_BITSTREAM | AV_EF_BUFFER | AV_EF_EXPLODE
    }
    let code = unsafe call.avcodec_open2?(context, decoder, nil) ?? -1
    guard code >= 0 else {
      throw PictureError(
        .corrupt, "the configuration record is refused: \(library.text(code))")
    }
  }

  deinit {
    unsafe call.avcodec_free_context?(&context)
    unsafe call.av_packet_free?(&packet)
    unsafe call.av_frame_free?(&frame)
  }

  private func setConfiguration(_ context: UnsafeMutablePointer<AVCodecContext>)
    throws(PictureError)
  {
    guard !configuration.isEmpty else { return }
    let padding = Int(AV_INPUT_BUFFER_PADDING_SIZE)
    guard let memory = call.av_mallocz?(configuration.count + padding) else {
      throw PictureError(.memory, "there is no memory for a configuration record")
    }
    unsafe memory.copyMemory(from: configuration, byteCount: configuration.count)
    // Freed with the context.
    unsafe context.pointee.extradata = memory.assumingMemoryBound(to: UInt8.self)
    unsafe context.pointee.extradata_size = Int32(configuration.count)
  }

  /// Decodes samples and hands over the picture of the last one.
  ///
  /// - Returns: what is wrong with that picture, where salvaging let it pass.
  func decode(
    _ samples: [[UInt8]], salvaging: Bool,
    _ body: (PictureView) throws(PictureError) -> Void
  ) throws(PictureError) -> PictureError? {
    unsafe call.avcodec_flush_buffers?(context)
    marks.forget()
    var pictures = Pictures(wanted: Int64(samples.count - 1))
    for (index, sample) in samples.enumerated() {
      do throws(PictureError) {
        try send(sample, time: Int64(index))
      } catch {
        guard salvaging, index == samples.count - 1 else { throw error }
        pictures.damage = error
      }
      try unsafe receive(&pictures, salvaging, body)
    }
    // A stream that allows reordering keeps its picture back until it is told that nothing follows.
    let code = unsafe call.avcodec_send_packet?(context, nil) ?? -1
    guard code >= 0 || code == apus_error_eof else { throw failure(code) }
    try unsafe receive(&pictures, salvaging, body)
    guard pictures.isFound else {
      throw pictures.damage ?? PictureError(.incomplete, "holds no picture")
    }
    return pictures.damage
  }

  private struct Pictures {
    let wanted: Int64
    var isFound = false
    var damage: PictureError?
  }

  private func send(_ sample: [UInt8], time: Int64) throws(PictureError) {
    guard let size = Int32(exactly: sample.count),
      let packet = unsafe packet, unsafe (call.av_new_packet?(packet, size) ?? -1) >= 0
    else { throw PictureError(.memory, "there is no memory for a sample") }
    defer { unsafe call.av_packet_unref?(packet) }
    unsafe UnsafeMutableRawPointer(packet.pointee.data)?.copyMemory(
      from: sample, byteCount: sample.count)
    unsafe packet.pointee.pts = time
    let code = unsafe call.avcodec_send_packet?(context, packet) ?? -1
    guard code >= 0 else { throw failure(code) }
  }

  private func receive(
    _ pictures: inout Pictures, _ salvaging: Bool,
    _ body: (PictureView) throws(PictureError) -> Void
  ) throws(PictureError) {
    guard let frame = unsafe frame else { return }
    while true {
      let code = unsafe call.avcodec_receive_frame?(context, frame) ?? -1
      if code == apus_error_again || code == apus_error_eof { return }
      guard code >= 0 else { throw failure(code) }
      defer { unsafe call.av_frame_unref?(frame) }
      guard unsafe frame.pointee.pts == pictures.wanted else { continue }
      guard !pictures.isFound else {
        throw PictureError(.corrupt, "holds more than one picture")
      }
      pictures.isFound = true
      if let damage = unsafe library.damage(of: frame) ?? missingBlock(frame) {
        guard salvaging else { throw damage }
        pictures.damage = pictures.damage ?? damage
      }
      try unsafe body(library.view(of: frame))
    }
  }

  private func missingBlock(_ frame: UnsafeMutablePointer<AVFrame>) -> PictureError? {
    guard let block = unsafe marks.uncovered(frame) else { return nil }
    return PictureError(
      .incomplete, "misses a slice: the block at column \(block.x), row \(block.y) is not coded")
  }

  private func failure(_ code: Int32) -> PictureError {
    PictureError(.corrupt, "cannot be decoded: \(library.text(code))")
  }
}
