// SPDX-License-Identifier: MIT

internal import ApusMedia
internal import ApusThreads
internal import CApusFFmpeg
internal import Synchronization

/// A container that was recognized, opened and probed; the code that takes its parts frees them.
@safe struct OpenedFormat {
  let context: UnsafeMutablePointer<AVFormatContext>
  let packet: UnsafeMutablePointer<AVPacket>
  let format: String
  let name: String

  /// The numbers of bytes read to recognize a container; some begin with pictures of an album.
  private static let probeSizes = [1 << 12, 1 << 16, 1 << 20]
  private static let padding = 64

  /// - Parameter log: keeps messages about damage until the context is closed and removed from `LibraryLog`.
  init(
    _ reader: ForeignReader, mostStreams: Int, log: ContainerLog, library: LibAVFormat
  ) throws(MediaError) {
    guard let input = try unsafe Self.recognize(reader, library) else {
      throw MediaError(.unsupported, "has a format that neither Apus nor libavformat knows")
    }
    let format = unsafe String(cString: input.pointee.name)
    let name = unsafe input.pointee.long_name.map { unsafe String(cString: $0) } ?? format
    guard LibAVFormat.containers.contains(format) else {
      throw MediaError(
        .unsupported,
        // libavformat takes any text with a bracket for lyrics.
        format == "lrc"
          ? "is text and has no media" : "is \(name) (\(format)), which is not supported")
    }
    var context = unsafe library.call.avformat_alloc_context()
    var packet = unsafe library.call.av_packet_alloc()
    let address = UInt(bitPattern: context)
    LibraryLog.add(log, for: address)
    do throws(MediaError) {
      guard let made = unsafe context, let space = unsafe packet else {
        throw MediaError(.memory, "not enough memory for a container")
      }
      unsafe made.pointee.pb = reader.context
      unsafe made.pointee.flags |= AVFMT_FLAG_CUSTOM_IO
      unsafe made.pointee.max_streams = Int32(clamping: mostStreams)
      // Nothing except the given bytes may be opened.
      unsafe made.pointee.io_open = { _, _, _, _, _ in apus_error_permission }
      unsafe made.pointee.interrupt_callback = unsafe AVIOInterruptCB(
        callback: { opaque in
          let reader = unsafe opaque.map {
            unsafe Unmanaged<ForeignReader>.fromOpaque($0).takeUnretainedValue()
          }
          return reader?.cancellation.isStopped == true ? 1 : 0
        }, opaque: Unmanaged.passUnretained(reader).toOpaque())
      // On failure it frees the context.
      var code = unsafe library.call.avformat_open_input(&context, "", input, nil)
      guard code >= 0, let opened = unsafe context else {
        throw reader.failure
          ?? MediaError(.corrupt, "cannot be opened as \(name): \(library.codecs.text(code))")
      }
      code = unsafe library.call.avformat_find_stream_info(opened, nil)
      if let failure = reader.failure { throw failure }
      guard code >= 0 else {
        throw MediaError(
          .corrupt, "cannot be read as \(name): \(library.codecs.text(code))")
      }
      unsafe (self.context, self.packet) = unsafe (opened, space)
    } catch {
      LibraryLog.remove(container: address)
      unsafe library.call.av_packet_free(&packet)
      unsafe library.call.avformat_close_input(&context)
      throw error
    }
    (self.format, self.name) = (format, name)
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
