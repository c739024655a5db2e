// SPDX-License-Identifier: MIT

internal import CFFmpeg
public import Media

/// A container that libavformat reads, opened on bytes that it is handed: it opens no file and no connection.
@safe public final class ForeignMedia {
  /// What the library calls the container: `matroska,webm`, and `Matroska / WebM`.
  public let format: String
  public let name: String
  public let streams: [ForeignStream]
  public let chapters: [ForeignChapter]
  public let tags: [ForeignTag]
  /// Whether times of this container may jump.
  public let isDiscontinuous: Bool
  /// Whether its packets have times; bare streams have none.
  public let hasTimes: Bool
  /// The duration that the container's header gives; `nil` where that is only an estimate.
  public let duration: RationalTime?

  private let library: LibAVFormat
  private let reader: ForeignReader
  private let log = ContainerLog()
  private var context: UnsafeMutablePointer<AVFormatContext>?
  private var packet: UnsafeMutablePointer<AVPacket>?
  private var skipped: Set<Int> = []

  /// - Parameter mostStreams: more are an error.
  public init(_ bytes: ForeignBytes, mostStreams: Int = 256) throws(MediaError) {
    let library = try LibAVFormat.load()
    let reader = try ForeignReader(bytes, library: library)
    let opened = try OpenedFormat(
      reader, mostStreams: mostStreams, log: log, library: library)
    self.library = library
    self.reader = reader
    unsafe (context, packet) = unsafe (opened.context, opened.packet)
    (format, name) = (opened.format, opened.name)
    let details = unsafe ForeignDetails(opened.context, library)
    (streams, chapters, tags) = (details.streams, details.chapters, details.tags)
    (isDiscontinuous, hasTimes) = (details.isDiscontinuous, details.hasTimes)
    duration = details.duration
  }

  deinit {
    unsafe LibraryLog.remove(container: UInt(bitPattern: context))
    unsafe library.call.av_packet_free?(&packet)
    unsafe library.call.avformat_close_input?(&context)
  }

  /// What libavformat said of damage up to the end of opening, and after it. Most damage it passes over without an
  /// error.
  public var complaintsOfOpening: [String] { log.words(ofOpening: true) }
  public var complaints: [String] { log.words(ofOpening: false) }

  /// Says that all that is found from now on belongs to the packets that are still to come.
  public func endOpening() { log.endOpening() }

  /// Says that packets of a stream are not wanted.
  public func skip(_ stream: Int) {
    guard let context = unsafe context, streams.indices.contains(stream) else { return }
    skipped.insert(stream)
    unsafe context.pointee.streams[stream]?.pointee.discard = AVDISCARD_ALL
  }

  /// Makes the call that runs now, and every later one, end with an error; from any thread.
  public var cancellation: ForeignCancellation { ForeignCancellation(reader) }

  /// The next packet of any stream, in the order of the container; `nil` after the last.
  public func next() throws(MediaError) -> ForeignPacket? {
    guard let context = unsafe context, let packet = unsafe packet else { return nil }
    var idle = 0
    while true {
      let code = unsafe library.call.av_read_frame?(context, packet) ?? apus_error_eof
      if let failure = reader.failure { throw failure }
      if code == apus_error_again, idle < 1000 {
        idle += 1
        continue
      }
      if code == apus_error_eof { return nil }
      guard code >= 0 else {
        throw MediaError(.corrupt, "cannot be read any further: \(library.codecs.text(code))")
      }
      defer { unsafe library.call.av_packet_unref?(packet) }
      // What was read to find out about the streams comes whether it is wanted or not.
      if skipped.contains(unsafe Int(packet.pointee.stream_index)) { continue }
      return unsafe taken(packet)
    }
  }

  @unsafe private func taken(_ packet: UnsafeMutablePointer<AVPacket>) -> ForeignPacket {
    let known = { (time: Int64) in time == apus_no_time ? nil : time }
    let bytes = unsafe UnsafeBufferPointer(
      start: packet.pointee.data, count: Int(max(packet.pointee.size, 0)))
    var result = unsafe ForeignPacket(
      stream: Int(packet.pointee.stream_index), presentationTime: known(packet.pointee.pts),
      decodeTime: known(packet.pointee.dts), duration: max(packet.pointee.duration, 0),
      isKey: packet.pointee.flags & AV_PKT_FLAG_KEY != 0,
      isDamaged: packet.pointee.flags & AV_PKT_FLAG_CORRUPT != 0, bytes: Array(bytes))
    var size = 0
    if let data = unsafe library.call.av_packet_get_side_data?(
      packet, AV_PKT_DATA_NEW_EXTRADATA, &size)
    {
      result.configuration = unsafe Array(UnsafeBufferPointer(start: data, count: size))
    }
    return result
  }
}
