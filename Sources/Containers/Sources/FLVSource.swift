// SPDX-License-Identifier: MIT

public import Bytes
internal import FLV
public import Flow
internal import Media

/// The samples of an FLV file in either dialect. Payloads stay in the file.
///
/// The file is walked once before the first sample, so that all its tracks are known.
public struct FLVSource: SampleSource, Sendable {
  public let tracks: [CodedTrack]
  public let details: MediaDetails
  public let warnings: [String]
  private var state: FLVTracks
  private var reader: TagReader
  private var waiting: [FLVTracks.Item] = []
  private let limits: Limits

  public init(_ source: any ByteSource, limits: Limits = Limits()) throws {
    self.limits = limits
    var state = FLVTracks()
    var survey = try TagReader(source, limits: limits)
    var isCut = false
    var junk = 0
    while let element = try survey.next() {
      switch element {
      case .tag(let tag):
        if tag.header.type == .script { state.announce(survey.content(of: tag, limits: limits)) }
        for item in try Self.items(of: tag, &survey, limits) { try state.announce(item) }
      case .junk(let range): junk += range.count
      case .truncated: isCut = true
      case .end: break
      }
    }
    var warnings = state.refused.map { "\($0) is left out" }
    warnings += state.doubts
    if state.hasADTS { warnings.append(FLVTracks.adtsWarning) }
    if junk > 0 { warnings.append("\(junk) bytes between tags are passed over") }
    if isCut { warnings.append("the file ends inside a tag, which is left out") }
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

  static func items(of tag: Tag, _ reader: inout TagReader, _ limits: Limits)
    throws -> [FLVTracks.Item]
  {
    let packets = try reader.packets(of: tag, limits: limits)
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
      waiting = try Self.items(of: tag, &reader, limits)
    }
  }
}
