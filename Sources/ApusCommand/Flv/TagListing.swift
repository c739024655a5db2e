// SPDX-License-Identifier: MIT

import ApusBytes
import FLV
import HEVC

/// One tag as it is listed.
struct TagListing {
  var index: Int
  var tag: Tag
  var packets: [PacketListing]
  /// The name of the script and its values.
  var script: AMFMessage?
  /// The error at which reading of the data stopped.
  var failure: SyntaxError?

  /// A packet, and the pictures in it.
  struct PacketListing {
    var packet: Packet
    /// The type of the first slice.
    var picture: NALUnitType?
    var isKey = false
    var hasParameterSets = false
  }
}

/// Lists the elements of a file one by one.
struct TagLister {
  private var reader: TagReader
  private var judge = KeyFrameJudge()
  private let limits: Limits
  private var count = 0
  /// The maximum number of tags to list.
  var most = Int.max

  init(_ source: any ByteSource, limits: Limits) throws(SyntaxError) {
    reader = try TagReader(source, limits: limits)
    self.limits = limits
  }

  var header: FLVHeader { reader.header }

  enum Element {
    case tag(TagListing)
    case other(FLVElement)
  }

  mutating func next() throws(SyntaxError) -> Element? {
    guard count < most, let element = try reader.next() else { return nil }
    guard case .tag(let tag) = element else { return .other(element) }
    var listing = TagListing(index: count, tag: tag, packets: [])
    count += 1
    let packets = try reader.packets(of: tag, limits: limits)
    for packet in packets { listing.packets.append(try listed(packet, of: tag)) }
    if packets.isEmpty {
      let content = reader.content(of: tag, limits: limits)
      if case .script(let message) = content { listing.script = message }
      listing.failure = content.failure
    }
    return .tag(listing)
  }

  private mutating func listed(_ packet: Packet, of tag: Tag) throws(SyntaxError)
    -> TagListing.PacketListing
  {
    var listing = TagListing.PacketListing(packet: packet)
    let start = packet.data.lowerBound - tag.data.lowerBound
    let range = start..<start + packet.data.count
    guard tag.header.type == .video, packet.kind == .frames || packet.kind == .configuration else {
      return listing
    }
    if packet.kind == .configuration {
      try reader.withData(of: tag) { data in judge.configure(packet, data.extracting(range)) }
      return listing
    }
    listing.isKey = try judge.isKey(packet, of: tag, in: &reader)
    guard packet.codec == .hevc else { return listing }
    let lengthSize = judge.lengthSize(of: packet.trackID)
    let unit = try reader.withData(of: tag) { data in
      AccessUnit(.hevc, data.extracting(range), lengthSize: lengthSize)
    }
    listing.picture = unit.firstPicture
    listing.hasParameterSets = unit.hasParameterSets
    return listing
  }
}
