// SPDX-License-Identifier: MIT

internal import ApusMedia
internal import CApusFFmpeg

/// The `AVFormatContext` of a container that is written, and the packet that goes into it.
@safe struct OutputFormat: ~Copyable {
  private let library: LibAVFormat
  private let context: UnsafeMutablePointer<AVFormatContext>
  private let packet: UnsafeMutablePointer<AVPacket>

  /// The time from the arrival of a packet of a transport stream to its decoding, in microseconds; the value set by
  /// FFmpeg's own command.
  private static let transportDelay: Int32 = 700_000

  init(_ container: String, _ writer: ForeignWriter, library: LibAVFormat) throws(MediaError) {
    var context: UnsafeMutablePointer<AVFormatContext>?
    let code =
      unsafe library.call.avformat_alloc_output_context2(&context, nil, container, nil)
    var packet = unsafe library.call.av_packet_alloc()
    guard code >= 0, let made = unsafe context, let space = unsafe packet else {
      unsafe library.call.av_packet_free(&packet)
      unsafe library.call.avformat_free_context(context)
      throw MediaError(.unsupported, "this libavformat does not write \(container)")
    }
    unsafe made.pointee.pb = writer.context
    // Packets are in their final form, and times are settled already.
    unsafe made.pointee.flags |= AVFMT_FLAG_CUSTOM_IO | AVFMT_FLAG_BITEXACT
    unsafe made.pointee.flags &= ~AVFMT_FLAG_AUTO_BSF
    unsafe made.pointee.avoid_negative_ts = 0
    unsafe made.pointee.max_delay = Self.transportDelay
    // The configuration of Dolby Vision is a later addition to Matroska.
    unsafe made.pointee.strict_std_compliance = FF_COMPLIANCE_UNOFFICIAL
    unsafe made.pointee.io_open = { _, _, _, _, _ in apus_error_permission }
    self.library = library
    unsafe (self.context, self.packet) = unsafe (made, space)
  }

  deinit {
    var packet: UnsafeMutablePointer<AVPacket>? = unsafe packet
    unsafe library.call.av_packet_free(&packet)
    unsafe library.call.avformat_free_context(context)
  }

  func add(_ stream: ForeignStream) throws(MediaError) {
    guard let made = unsafe library.call.avformat_new_stream(context, nil) else {
      throw .noMemory("a track")
    }
    try unsafe stream.describe(made, library)
  }

  func add(_ chapters: [ForeignChapter]) throws(MediaError) {
    guard !chapters.isEmpty else { return }
    let size = unsafe MemoryLayout<UnsafeMutablePointer<AVChapter>?>.stride * chapters.count
    guard let memory = unsafe library.call.av_mallocz(size) else { throw .noMemory("chapters") }
    // The context frees it, together with each chapter.
    let list = unsafe memory.bindMemory(
      to: UnsafeMutablePointer<AVChapter>?.self, capacity: chapters.count)
    unsafe context.pointee.chapters = list
    for (index, chapter) in chapters.enumerated() {
      guard let space = unsafe library.call.av_mallocz(MemoryLayout<AVChapter>.size) else {
        throw .noMemory("chapters")
      }
      let made = unsafe space.bindMemory(to: AVChapter.self, capacity: 1)
      unsafe list[index] = unsafe made
      unsafe context.pointee.nb_chapters += 1
      unsafe made.pointee.id = .init(index + 1)
      unsafe made.pointee.time_base = AVRational(
        num: 1, den: Int32(clamping: chapter.start.timescale))
      unsafe made.pointee.start = chapter.start.value
      unsafe made.pointee.end =
        chapter.end?.rounded(to: chapter.start.timescale) ?? apus_no_time
      try unsafe set(
        [ForeignTag(name: "title", value: chapter.title)], in: &made.pointee.metadata, library)
    }
  }

  func add(_ tags: [ForeignTag]) throws(MediaError) {
    try unsafe set(tags, in: &context.pointee.metadata, library)
  }

  func begin() throws(MediaError) {
    let (code, words) = LibraryLog.listening {
      unsafe library.call.avformat_write_header(context, nil)
    }
    guard code >= 0 else {
      throw MediaError(
        .unsupported, "cannot be started by libavformat: \(library.codecs.text(code, words))")
    }
  }

  func unit(of stream: Int) -> Fraction {
    guard let made = unsafe context.pointee.streams[stream] else { return Fraction(1, 1000) }
    return unsafe Fraction(Int(made.pointee.time_base.num), Int(made.pointee.time_base.den))
  }

  func write(_ given: ForeignPacket) throws(MediaError) {
    guard let size = Int32(exactly: given.bytes.count),
      unsafe library.call.av_new_packet(packet, size) >= 0
    else { throw .noMemory("a packet") }
    defer { unsafe library.call.av_packet_unref(packet) }
    unsafe UnsafeMutableRawPointer(packet.pointee.data).copyMemory(
      from: given.bytes, byteCount: given.bytes.count)
    unsafe packet.pointee.stream_index = Int32(given.stream)
    unsafe packet.pointee.pts = given.presentationTime ?? apus_no_time
    unsafe packet.pointee.dts = given.decodeTime ?? apus_no_time
    unsafe packet.pointee.duration = given.duration
    if given.isKey { unsafe packet.pointee.flags |= AV_PKT_FLAG_KEY }
    let (code, words) = LibraryLog.listening {
      unsafe library.call.av_write_frame(context, packet)
    }
    guard code >= 0 else {
      throw MediaError(
        .unsupported, "cannot be written by libavformat: \(library.codecs.text(code, words))")
    }
  }

  /// Writes the data that the container buffers until it is large enough.
  func flush() throws(MediaError) {
    let code = unsafe library.call.av_write_frame(context, nil)
    guard code >= 0 else {
      throw MediaError(
        .unsupported, "cannot be written by libavformat: \(library.codecs.text(code))")
    }
  }

  func finish() throws(MediaError) {
    let (code, words) = LibraryLog.listening {
      unsafe library.call.av_write_trailer(context)
    }
    guard code >= 0 else {
      throw MediaError(
        .unsupported, "cannot be finished by libavformat: \(library.codecs.text(code, words))")
    }
  }
}

/// Adds tags to a dictionary of the library.
@unsafe func set(
  _ tags: [ForeignTag], in dictionary: inout OpaquePointer?, _ library: LibAVFormat
) throws(MediaError) {
  for tag in tags {
    guard unsafe library.call.av_dict_set(&dictionary, tag.name, tag.value, 0) >= 0
    else { throw .noMemory("tags") }
  }
}
