// SPDX-License-Identifier: MIT

internal import ApusMedia
internal import CApusFFmpeg

/// A container that was recognized, opened and probed; the code that takes its parts frees them.
@safe struct OpenedFormat {
  let context: UnsafeMutablePointer<AVFormatContext>
  let packet: UnsafeMutablePointer<AVPacket>
  let format: String
  let name: String

  /// The numbers of bytes read to recognize a container; some begin with pictures of an album.
  private static let probeSizes = [1 << 12, 1 << 16, 1 << 20]
  private static let padding = 64

  /// Opens a container of given bytes.
  ///
  /// - Parameter log: keeps messages about damage until the context is closed and removed from `LibraryLog`.
  init(
    _ reader: ForeignReader, mostStreams: Int, log: ContainerLog, library: LibAVFormat
  ) throws(MediaError) {
    guard let input = try unsafe Self.recognize(reader, library) else {
      throw MediaError(.unsupported, "has a format that neither Apus nor libavformat knows")
    }
    let format = unsafe String(cString: input.pointee.name)
    guard LibAVFormat.containers.contains(format) else {
      throw MediaError(
        .unsupported,
        // libavformat takes any text with a bracket for lyrics.
        format == "lrc"
          ? "is text and has no media"
          : "is \(unsafe Self.name(of: input)) (\(format)), which is not supported")
    }
    let name = unsafe Self.name(of: input)
    try unsafe self.init(
      input, log, library, mostStreams: mostStreams, reader.interruption,
      prepare: { made in
        unsafe made.pointee.pb = reader.context
        unsafe made.pointee.flags |= AVFMT_FLAG_CUSTOM_IO
        // Nothing except the given bytes may be opened.
        unsafe made.pointee.io_open = { _, _, _, _, _ in apus_error_permission }
      },
      check: { code, verb throws(MediaError) in
        if let failure = reader.failure { throw failure }
        guard code < 0 else { return }
        throw MediaError(
          .corrupt, "cannot be \(verb) as \(name): \(library.codecs.text(code))")
      })
  }

  /// Opens an address that libavformat itself connects to.
  init(
    _ location: ForeignLocation, mostStreams: Int, log: ContainerLog, library: LibAVFormat
  ) throws(MediaError) {
    guard let input = unsafe library.call.av_find_input_format(location.format) else {
      throw MediaError(.missing, "this libavformat is built without \(location.format)")
    }
    _ = library.call.avformat_network_init()
    try unsafe self.init(
      input, log, library, mostStreams: mostStreams, location.interruption, location.url,
      location.options,
      check: { code, _ throws(MediaError) in
        if code < 0 { throw location.failure(code, isOpen: false, library) }
      })
  }

  /// - Parameters:
  ///   - prepare: called with the context before it is opened.
  ///   - check: throws the error for a code of the library; the verb is `opened` or `read`.
  @unsafe private init(
    _ input: UnsafePointer<AVInputFormat>, _ log: ContainerLog, _ library: LibAVFormat,
    mostStreams: Int, _ interruption: ForeignInterruption, _ url: String = "",
    _ options: [ForeignTag] = [],
    prepare: (UnsafeMutablePointer<AVFormatContext>) -> Void = { _ in },
    check: (_ code: Int32, _ verb: String) throws(MediaError) -> Void
  ) throws(MediaError) {
    var context = unsafe library.call.avformat_alloc_context()
    var packet = unsafe library.call.av_packet_alloc()
    var dictionary: OpaquePointer?
    defer { unsafe library.call.av_dict_free(&dictionary) }
    let address = UInt(bitPattern: context)
    LibraryLog.add(log, for: address)
    do throws(MediaError) {
      guard let made = unsafe context, let space = unsafe packet else {
        throw MediaError(.memory, "not enough memory for a container")
      }
      unsafe prepare(made)
      unsafe made.pointee.max_streams = Int32(clamping: mostStreams)
      unsafe made.pointee.interrupt_callback = unsafe interruption.callback
      try unsafe set(options, in: &dictionary, library)
      interruption.wait()
      // On failure it frees the context.
      var code = unsafe library.call.avformat_open_input(&context, url, input, &dictionary)
      try check(code, "opened")
      guard let opened = unsafe context else { throw .noMemory("a container") }
      interruption.wait()
      code = unsafe library.call.avformat_find_stream_info(opened, nil)
      try check(code, "read")
      unsafe (self.context, self.packet) = unsafe (opened, space)
    } catch {
      LibraryLog.remove(container: address)
      unsafe library.call.av_packet_free(&packet)
      unsafe library.call.avformat_close_input(&context)
      throw error
    }
    format = unsafe String(cString: input.pointee.name)
    name = unsafe Self.name(of: input)
  }

  /// Returns the library's description of a format.
  @unsafe private static func name(of input: UnsafePointer<AVInputFormat>) -> String {
    unsafe String(cString: input.pointee.long_name ?? input.pointee.name)
  }

  /// Recognizes the container from the bytes alone.
  @unsafe private static func recognize(_ reader: ForeignReader, _ library: LibAVFormat)
    throws(MediaError) -> UnsafePointer<AVInputFormat>?
  {
    var best: UnsafePointer<AVInputFormat>?
    for size in probeSizes {
      var bytes = try reader.prefix(size)
      let count = bytes.count
      bytes += [UInt8](repeating: 0, count: padding)
      var score: Int32 = 0
      let found = unsafe bytes.withUnsafeMutableBufferPointer { buffer in
        unsafe "".withCString { name in
          var data = unsafe AVProbeData(
            filename: name, buf: buffer.baseAddress, buf_size: Int32(count), mime_type: nil)
          return unsafe library.call.av_probe_input_format3(&data, 1, &score)
        }
      }
      if let found = unsafe found {
        unsafe best = found
        if score > AVPROBE_SCORE_MAX / 4 { break }
      }
      if count < size { break }
    }
    return unsafe best
  }
}
