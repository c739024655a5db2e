// SPDX-License-Identifier: MIT

public import ApusBytes
internal import ApusMedia
public import ApusSamples
internal import FLV

/// The samples of an FLV file in either dialect. Payloads stay in the file.
///
/// The file is walked once before the first sample, so that all its tracks are known.
public struct FLVSource: SampleSource, Sendable {
  /// The tracks found in the whole file, in the order in which they begin.
  public let tracks: [CodedTrack]
  /// The metadata of `onMetaData`, as far as other containers can hold them.
  public let details: MediaDetails
  /// Warnings for the user about damage and about tracks that are left out.
  public let warnings: [String]
  /// The bytes that belong to no whole tag, in the order of the file.
  public let unread: [Range<Int>]
  private var state: FLVTracks
  private var reader: TagReader
  private var waiting: [FLVTracks.Item] = []
  private let limits: Limits

  /// Opens an FLV file, and reads all its tag headers once.
  public init(_ source: any ByteSource, limits: Limits = Limits()) throws {
    self.limits = limits
    var state = FLVTracks()
    var survey = try TagReader(source, limits: limits)
    var junk: [Range<Int>] = []
    var cut: [Range<Int>] = []
    var faults = StreamFaults()
    while let element = try survey.next() {
      switch element {
      case .tag(let tag):
        if tag.header.type == .script, !tag.header.filter {
          let content = survey.content(of: tag, limits: limits)
          if content.failure != nil { faults.add(.script, at: tag.offset) }
          state.announce(content)
        }
        let packets = try faults.look(at: tag, in: &survey, limits)
        for item in try Self.items(of: tag, packets, &survey) { try state.announce(item) }
      case .junk(let range): junk.append(range)
      case .truncated(_, let range): cut.append(range)
      case .end(let size, let expected):
        faults.compare(size: size, expected: expected, before: source.count)
      }
    }
    var warnings = state.refused.map { "\($0) is left out" }
    warnings += state.unconfigured + faults.words() + state.doubts
    if state.hasADTS { warnings.append(FLVTracks.adtsWarning) }
    if !junk.isEmpty { warnings.append(FLVTracks.junk(junk.reduce(0) { $0 + $1.count })) }
    if !cut.isEmpty { warnings.append(FLVTracks.cut) }
    unread = junk + cut
    guard !state.tracks.isEmpty else {
      throw MediaError(
        .unsupported, of: .part("FLV"),
        state.refused.isEmpty
          ? "has no video or audio that is configured"
          : "has \(state.refused.joined(separator: ", ")) only, which is not passed on")
    }
    tracks = state.tracks
    details = state.details
    self.warnings = warnings
    self.state = state
    reader = try TagReader(source, limits: limits)
  }

  private static func items(of tag: Tag, _ packets: [Packet], _ reader: inout TagReader) throws
    -> [FLVTracks.Item]
  {
    guard !packets.isEmpty else { return [] }
    let source = reader.source
    return try reader.withData(of: tag, limit: FLVTracks.Item.head) { head in
      packets.map { packet in
        let end = tag.data.upperBound
        let data = min(packet.data.lowerBound, end)..<min(packet.data.upperBound, end)
        var item = FLVTracks.Item(
          type: tag.header.type, time: tag.time, packet: packet, data: Extent(source, data),
          offset: tag.offset, flags: head[0])
        item.takeOffADTS(head, at: tag.data.lowerBound)
        return item
      }
    }
  }

  public mutating func next() throws -> SourceEvent? {
    while true {
      while !waiting.isEmpty {
        if let event = try state.event(of: waiting.removeFirst()) { return event }
      }
      guard let tag = try reader.nextTag() else { return nil }
      waiting = try Self.items(of: tag, reader.packets(of: tag, limits: limits), &reader)
    }
  }

  /// The faults of the samples so far that were repaired, as text.
  public var repairs: [String] { state.repairs }
}
