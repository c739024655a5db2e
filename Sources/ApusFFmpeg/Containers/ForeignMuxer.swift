// SPDX-License-Identifier: MIT

public import ApusMedia
internal import CApusFFmpeg

/// A container that libavformat writes, packet by packet. Its bytes are returned; no file is opened.
///
/// The same streams and packets give the same bytes: nothing is random, and no version is written.
@safe public struct ForeignMuxer: ~Copyable {
  /// The containers that can be written, by the library's names.
  public enum Container: String, Hashable, Sendable {
    case matroska, webm, mpegts
  }

  /// Bytes and their offset; those before the end of what was returned so far replace earlier ones.
  public typealias Piece = (offset: Int, bytes: [UInt8])

  private let library: LibAVFormat
  private let writer: ForeignWriter
  private let output: OutputFormat
  /// Units that are added to the times of each stream, because the library does not.
  private let offsets: [Int64]
  /// The last decoding time of each stream.
  private var last: [Int64?]

  /// - Parameters:
  ///   - tags: the tags of the whole.
  ///   - canReturn: whether bytes that were returned may be replaced, as needed for an index and a duration.
  public init(
    _ container: Container, _ streams: [ForeignStream], chapters: [ForeignChapter] = [],
    tags: [ForeignTag] = [], canReturn: Bool
  ) throws(MediaError) {
    let library = try LibAVFormat.load()
    let writer = try ForeignWriter(canReturn: canReturn, library: library)
    let output = try OutputFormat(container.rawValue, writer, library: library)
    for stream in streams { try output.add(stream) }
    try output.add(chapters)
    try output.add(tags)
    try output.begin()
    let moves = container != .mpegts && !apus_writes_matroska_delays
    offsets = streams.enumerated().map { index, stream in
      guard moves, let rate = UInt32(exactly: stream.sampleRate), rate > 0 else { return 0 }
      let unit = UInt32(clamping: output.unit(of: index).denominator)
      return RationalTime(Int64(stream.delay), per: rate).rounded(to: unit) ?? 0
    }
    last = streams.map { _ in nil }
    (self.library, self.writer) = (library, writer)
    self.output = output
  }

  /// Returns whether a container can declare that the beginning of sound should not be heard.
  public static func holdsDelay(of codec: String, in container: Container) -> Bool {
    guard container != .mpegts else { return false }
    return codec == "opus" || apus_writes_matroska_delays
  }

  /// Returns whether a container can store a rotation of pictures.
  public static func holdsRotation(in container: Container) -> Bool {
    container != .mpegts && apus_writes_matroska_rotation
  }

  /// Returns the seconds in a unit of a stream's times, as the container counts them.
  public func unit(of stream: Int) -> Fraction { output.unit(of: stream) }

  /// Writes a packet with the next decoding time of its stream.
  public mutating func write(_ packet: ForeignPacket) throws(MediaError) {
    var packet = packet
    let offset = offsets[packet.stream]
    packet.presentationTime = packet.presentationTime.map { $0 + offset }
    packet.decodeTime = packet.decodeTime.map { $0 + offset }
    // Times that differ in finer units may be equal here.
    if let decode = packet.decodeTime, let last = last[packet.stream], decode <= last {
      packet.decodeTime = min(last + 1, packet.presentationTime ?? last + 1)
    }
    last[packet.stream] = packet.decodeTime
    try output.write(packet)
  }

  /// Writes buffered frames: frames of sound are grouped in a transport stream, where only the first has a time.
  public mutating func flush() throws(MediaError) { try output.flush() }

  /// Writes what can only be written at the end.
  public mutating func finish() throws(MediaError) { try output.finish() }

  /// Returns the pieces written since the last call.
  public func takePieces() -> [Piece] { writer.takePieces() }
}
