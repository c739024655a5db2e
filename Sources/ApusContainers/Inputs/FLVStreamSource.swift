// SPDX-License-Identifier: MIT

public import ApusBytes
internal import ApusMedia
public import ApusSamples
package import FLV

/// The samples of an FLV stream as it comes, tag by tag.
///
/// Before the first sample it waits until every kind of track announced by the header is known and the first picture of
/// HEVC has come, or until two seconds of the stream or 16 MiB have come; a track that begins later is left out.
public struct FLVStreamSource: SampleSource, Sendable {
  /// The tracks that were known before the first sample; later ones are left out.
  public private(set) var tracks: [CodedTrack] = []
  /// The metadata of the `onMetaData` that came before the first sample.
  public private(set) var details = MediaDetails()
  /// Warnings for the user that were known before the first sample.
  public private(set) var warnings: [String] = []
  private var state = FLVTracks()
  private var stream = TagStream()
  private var bytes: PulledBytes
  private var faults = StreamFaults()
  /// Whether the whole stream was read.
  private var isOver = false
  private var waiting: [FLVTracks.Item] = []
  /// The index of the next item in `waiting`.
  private var position = 0
  private let limits: Limits

  private static let patience: Int64 = 2000
  private static let capacity = 16 << 20

  /// Reads the beginning of a stream, and waits until its tracks are known.
  public init(_ bytes: PulledBytes, limits: Limits = Limits()) throws {
    self.bytes = bytes
    self.limits = limits
    var first: Int64?
    var held = 0
    // Configurations of further tracks come before any frame.
    while first == nil || !Self.isComplete(state, stream.header), let items = try nextItems() {
      for item in items {
        try state.announce(item)
        if first == nil, item.packet.kind == .frames { first = item.time }
        held += item.data.count
      }
      waiting += items
      // Frames may come before their configuration.
      if !state.hasSeenPictures { for item in waiting { try state.announce(item) } }
      let span = (waiting.last?.time ?? 0) - (first ?? waiting.last?.time ?? 0)
      if span > Self.patience || held > Self.capacity { break }
    }
    guard !state.tracks.isEmpty else {
      throw MediaError(.unsupported, of: .part("FLV"), "begins without video or audio")
    }
    tracks = state.tracks
    details = state.details
    warnings = state.refused.map { "\($0) is left out" }
    warnings += state.doubts
    if state.hasADTS { warnings.append(FLVTracks.adtsWarning) }
  }

  private static func isComplete(_ state: FLVTracks, _ header: FLVHeader?) -> Bool {
    guard let header else { return false }
    // Some servers write headers that announce nothing, or both kinds.
    let isSilent = !header.hasVideo && !header.hasAudio
    return state.hasSeenPictures && (state.isComplete(.video) || (!header.hasVideo && !isSilent))
      && (state.isComplete(.audio) || (!header.hasAudio && !isSilent))
  }

  /// The number of frames of tracks that began too late to be announced.
  public var passedOver: Int { state.late }

  public mutating func next() throws -> SourceEvent? {
    while true {
      while position < waiting.count {
        position += 1
        if let event = try state.event(of: waiting[position - 1]) { return event }
      }
      guard let items = try nextItems() else { return nil }
      waiting = items
      position = 0
    }
  }

  /// Returns the packets of the next tag; `nil` at the end.
  private mutating func nextItems() throws -> [FLVTracks.Item]? {
    while true {
      if let tag = try stream.next() { return try items(of: tag) }
      guard let piece = try bytes.next() else {
        isOver = true
        return nil
      }
      stream.append(piece.span)
    }
  }

  private mutating func items(of tag: TagStream.Received) throws -> [FLVTracks.Item] {
    if tag.header.type == .script, !tag.header.filter {
      let content = tag.content(limits: limits)
      if content.failure != nil { faults.add(.script, at: tag.offset) }
      state.announce(content)
    }
    faults.compare(
      size: tag.previousTagSize, expected: tag.expectedPreviousTagSize, before: tag.offset)
    let items =
      tag.header.filter
      ? []
      : FLVTracks.Item.items(
        of: tag.header, tag.data, at: tag.time, offset: tag.offset, limits)
    try faults.look(
      at: tag.header, time: tag.time, offset: tag.offset, items.map(\.packet), in: tag.data.span)
    return items
  }

  /// The faults so far that were repaired or skipped, as text.
  public var repairs: [String] {
    var result = faults.words() + state.repairs
    if state.late > 0 {
      result.append("\(state.late) frames of tracks that begin later are left out")
    }
    if stream.skipped > 0 { result.append(FLVTracks.junk(stream.skipped)) }
    // The last field is the size of the last tag.
    if isOver, stream.header != nil, stream.remaining.count > 4 { result.append(FLVTracks.cut) }
    return result
  }
}

extension FLVTracks.Item {
  /// Returns the packets of a tag whose data are in memory.
  package static func items(
    of header: TagHeader, _ data: [UInt8], at time: Int64, offset: Int, _ limits: Limits
  ) -> [FLVTracks.Item] {
    guard let flags = data.first else { return [] }
    let start = data.span.extracting(0..<min(8, data.count))
    let packets: [Packet]
    if let simple = Packet(header.type, start, data: 0..<data.count) {
      packets = [simple]
    } else {
      packets = Packet.packets(in: TagContent(header, data: Extent(data), limits: limits))
    }
    guard !packets.isEmpty else { return [] }
    let source = MemorySource(data)
    return packets.map { packet in
      let end = data.count
      let range = min(packet.data.lowerBound, end)..<min(packet.data.upperBound, end)
      var item = FLVTracks.Item(
        type: header.type, time: time, packet: packet, data: Extent(source, range),
        offset: offset, flags: flags)
      item.takeOffADTS(data.span.extracting(0..<min(head, data.count)), at: 0)
      return item
    }
  }
}
