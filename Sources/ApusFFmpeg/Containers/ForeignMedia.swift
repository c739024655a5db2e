// SPDX-License-Identifier: MIT

public import ApusMedia
internal import CApusFFmpeg

/// A container that libavformat reads: from given bytes, for which it opens no file and no connection, or at a location.
@safe public final class ForeignMedia {
  /// The library's names for the container: `matroska,webm`, and `Matroska / WebM`.
  public let format: String
  /// The library's description of the container, such as `Matroska / WebM`.
  public let name: String
  /// The streams found when the container was opened.
  public let streams: [ForeignStream]
  /// The chapters of the container.
  public let chapters: [ForeignChapter]
  /// The tags of the container as a whole.
  public let tags: [ForeignTag]
  /// Whether times of this container may jump.
  public let isDiscontinuous: Bool
  /// Whether its packets have times; bare streams have none.
  public let hasTimes: Bool
  /// The duration in the container's header; `nil` if only an estimate is known.
  public let duration: RationalTime?

  private let library: LibAVFormat
  private let reader: ForeignReader?
  private let location: ForeignLocation?
  private let log: ContainerLog
  private var context: UnsafeMutablePointer<AVFormatContext>?
  private var packet: UnsafeMutablePointer<AVPacket>?
  private var skipped: Set<Int> = []

  /// - Parameters:
  ///   - interruption: ends its calls.
  ///   - mostStreams: the most streams; more are an error.
  public convenience init(
    _ bytes: ForeignBytes, _ interruption: ForeignInterruption = ForeignInterruption(),
    mostStreams: Int = 256
  ) throws(MediaError) {
    let library = try LibAVFormat.load()
    let reader = try ForeignReader(bytes, interruption, library: library)
    let log = ContainerLog()
    let opened = try OpenedFormat(reader, mostStreams: mostStreams, log: log, library: library)
    self.init(opened, reader, nil, log, library)
  }

  /// Connects, and waits for the first packets.
  public convenience init(at location: ForeignLocation, mostStreams: Int = 32) throws(MediaError) {
    let library = try LibAVFormat.load()
    let log = ContainerLog()
    let opened = try OpenedFormat(location, mostStreams: mostStreams, log: log, library: library)
    self.init(opened, nil, location, log, library)
  }

  private init(
    _ opened: OpenedFormat, _ reader: ForeignReader?, _ location: ForeignLocation?,
    _ log: ContainerLog, _ library: LibAVFormat
  ) {
    (self.library, self.reader, self.location, self.log) = (library, reader, location, log)
    unsafe (context, packet) = unsafe (opened.context, opened.packet)
    (format, name) = (opened.format, opened.name)
    let details = unsafe ForeignDetails(opened.context, library)
    (streams, chapters, tags) = (details.streams, details.chapters, details.tags)
    // A camera may set its clock at any time.
    isDiscontinuous = details.isDiscontinuous || location != nil
    hasTimes = details.hasTimes
    duration = details.duration
  }

  deinit {
    unsafe LibraryLog.remove(container: UInt(bitPattern: context))
    unsafe library.call.av_packet_free(&packet)
    unsafe library.call.avformat_close_input(&context)
  }

  /// Whether it comes from a location.
  public var isLocated: Bool { location != nil }

  /// The messages about damage that libavformat logged up to the end of opening, and after it. For most damage it
  /// returns no error.
  public var complaintsOfOpening: [String] { log.words(ofOpening: true) }
  /// The messages about damage that libavformat logged after the opening.
  public var complaints: [String] { log.words(ofOpening: false) }

  /// Assigns all further messages to the packets that are still to come.
  public func endOpening() { log.endOpening() }

  /// Leaves out the packets of a stream.
  public func skip(_ stream: Int) {
    guard let context = unsafe context, streams.indices.contains(stream) else { return }
    skipped.insert(stream)
    unsafe context.pointee.streams[stream]?.pointee.discard = AVDISCARD_ALL
  }

  /// Returns the next packet of any stream, in the order of the container; `nil` after the last.
  public func next() throws(MediaError) -> ForeignPacket? {
    guard let context = unsafe context, let packet = unsafe packet else { return nil }
    var idle = 0
    while true {
      location?.interruption.wait()
      let code = unsafe library.call.av_read_frame(context, packet)
      if let failure = reader?.failure { throw failure }
      // The library then hands out what its parsers hold, which may be half a picture.
      if let location, location.interruption.isOver { throw location.failure(code, library) }
      if code == apus_error_again, idle < 1000 {
        idle += 1
        continue
      }
      if code == apus_error_eof { return nil }
      guard code >= 0 else {
        if let location { throw location.failure(code, library) }
        throw MediaError(.corrupt, "cannot be read any further: \(library.codecs.text(code))")
      }
      defer { unsafe library.call.av_packet_unref(packet) }
      // Packets that were read for probing the streams are returned even for skipped ones.
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
    if let data = unsafe library.call.av_packet_get_side_data(
      packet, AV_PKT_DATA_NEW_EXTRADATA, &size)
    {
      result.configuration = unsafe Array(UnsafeBufferPointer(start: data, count: size))
    }
    return result
  }
}
