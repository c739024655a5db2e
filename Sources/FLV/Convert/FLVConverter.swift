// SPDX-License-Identifier: MIT

public import ApusBytes

/// Rewrites a file: in the other dialect if requested, with times that never decrease, with its duration and an index
/// of its key frames. Frames and their order are unchanged, as are their times unless they decrease.
///
/// The file is walked twice, because the index precedes the frames to which it points.
public struct FLVConverter: Sendable {
  /// The options of a conversion.
  public struct Options: Hashable, Sendable {
    /// The dialect of HEVC; `nil` leaves each tag in its dialect.
    public var dialect: HEVCDialect?
    /// Whether times that decrease are made continuous or held; otherwise all times are kept.
    public var repairsTimes = true
    /// Whether `onMetaData` gets the places and times of all key frames.
    public var indexesKeyFrames = true

    public init() {}
  }

  /// The options as passed to `init`.
  public let options: Options
  /// The changes that writing will make.
  public let report: ConversionReport
  /// The `onMetaData` that will be written.
  public let metadata: AMFMessage

  private let source: any ByteSource
  private let limits: Limits
  private let header: FLVHeader

  /// Measures the file.
  public init(_ source: any ByteSource, options: Options = Options(), limits: Limits = Limits())
    throws(SyntaxError)
  {
    self.source = source
    self.options = options
    self.limits = limits
    var reader = try TagReader(source, limits: limits)
    var changer = TagChanger(options)
    var index = KeyFrameIndex()
    var faults = StreamFaults()
    while let element = try reader.next() {
      switch element {
      case .tag(let tag):
        let packets = try faults.look(at: tag, in: &reader, limits)
        guard let change = try changer.change(tag, packets, in: &reader) else { continue }
        let size = tag.data.count - change.replaced + change.head.count
        guard size <= TagHeader.largestData else {
          throw SyntaxError(
            .limit, field: "DataSize", offset: tag.offset,
            detail: "would be \(size), a tag holds at most \(TagHeader.largestData) bytes")
        }
        index.add(tag.header.type, change, size: size)
      case .junk(let range): changer.passOver(range)
      case .truncated: changer.passOverTruncated()
      case .end(let size, let expected):
        faults.compare(size: size, expected: expected, before: source.count)
      }
    }
    var report = changer.report
    report.duration = index.duration
    report.faults = faults.words(copies: true, repairsTimes: options.repairsTimes)
    self.report = report
    header = FLVHeader(hasAudio: index.hasAudio, hasVideo: index.hasVideo)
    metadata = try index.metadata(
      changer.metadata ?? AMFMessage(["onMetaData", .ecmaArray(AMFObject())]),
      codecID: changer.hasHEVC ? options.dialect?.videoCodecID : nil,
      isIndexed: options.indexesKeyFrames, limits: limits)
  }

  /// Writes the whole file, in the same way each time.
  public func write<Sink: ByteSink>(to sink: inout Sink) throws(SyntaxError) {
    let start = try FLVWriter(ArraySink(), header: header)
    var gathered = start.sink.bytes
    gathered.reserveCapacity(Self.gather * 2)
    try Self.append(try metadata.bytes(), to: &gathered)
    var reader = try TagReader(source, limits: limits)
    var changer = TagChanger(options)
    while let element = try reader.next() {
      guard case .tag(let tag) = element else { continue }
      let packets = try reader.packets(of: tag, limits: limits)
      guard let change = try changer.change(tag, packets, in: &reader) else { continue }
      try write(tag, change, &reader, &gathered, to: &sink)
      if gathered.count >= Self.gather { try Self.flush(&gathered, to: &sink) }
    }
    try Self.flush(&gathered, to: &sink)
  }

  private static let gather = 1 << 18
  /// The size in bytes from which on frames are copied from file to file without being examined.
  private static let large = 1 << 16

  @inline(__always)
  private func write<Sink: ByteSink>(
    _ tag: Tag, _ change: TagChanger.Change, _ reader: inout TagReader,
    _ gathered: inout [UInt8], to sink: inout Sink
  ) throws(SyntaxError) {
    var header = tag.header
    header.dataSize = UInt32(tag.data.count - change.replaced + change.head.count)
    header.timestamp = UInt32(truncatingIfNeeded: change.time)
    header.append(to: &gathered)
    gathered += change.head
    let left = tag.data.dropFirst(change.replaced)
    if left.count >= Self.large {
      try Self.flush(&gathered, to: &sink)
      try sink.append(Extent(source, left))
    } else if !left.isEmpty {
      try reader.withData(of: tag) { data in
        let piece = data.extracting(change.replaced..<data.count)
        unsafe piece.withUnsafeBufferPointer { unsafe gathered.append(contentsOf: $0) }
      }
    }
    TagHeader.append32(header.tagSize, to: &gathered)
  }

  private static func append(_ script: [UInt8], to bytes: inout [UInt8]) throws(SyntaxError) {
    let header = try TagHeader(.script, dataSize: script.count, timestamp: 0)
    header.append(to: &bytes)
    bytes += script
    TagHeader.append32(header.tagSize, to: &bytes)
  }

  private static func flush<Sink: ByteSink>(_ bytes: inout [UInt8], to sink: inout Sink)
    throws(SyntaxError)
  {
    try sink.append(bytes.span)
    bytes.removeAll(keepingCapacity: true)
  }
}
