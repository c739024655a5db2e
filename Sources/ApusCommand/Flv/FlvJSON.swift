// SPDX-License-Identifier: MIT

import ApusBytes
import ApusJSON
import FLV
import HEVC

/// The tags of a file as JSON; Schemas/flv.schema.json describes it.
struct FlvJSON {
  func write<Output: TextOutputStream>(
    _ lister: inout TagLister, file: String, size: Int, to json: inout JSONWriter<Output>,
    check: () throws -> Void
  ) throws {
    try json.object { json throws in
      json.field("file", file)
      json.field("size", size)
      json.field("version", lister.header.version)
      json.field("has_video", lister.header.hasVideo)
      json.field("has_audio", lister.header.hasAudio)
      json.key("elements")
      try json.array { json throws in
        while let element = try lister.next() {
          switch element {
          case .tag(let listing): write(listing, to: &json)
          case .other(let element): write(element, to: &json)
          }
          try check()
        }
      }
    }
    json.endDocument()
  }

  private func write<Output: TextOutputStream>(
    _ listing: TagListing, to json: inout JSONWriter<Output>
  ) {
    let tag = listing.tag
    json.object { json in
      json.field("element", "tag")
      json.field("index", listing.index)
      json.field("offset", tag.offset)
      json.field("type", tag.header.type.rawValue)
      json.field("time", tag.time)
      json.field("timestamp", tag.header.timestamp)
      json.field("size", tag.header.dataSize)
      if let expected = tag.expectedPreviousTagSize, expected != tag.previousTagSize {
        json.field("previous_tag_size", tag.previousTagSize)
        json.field("expected_previous_tag_size", expected)
      }
      if tag.header.filter { json.field("encrypted", true) }
      if let failure = listing.failure { json.field("failure", failure.description) }
      if let script = listing.script {
        json.key("script")
        json.array { json in for value in script.values { write(value, to: &json) } }
      }
      guard !listing.packets.isEmpty else { return }
      json.key("packets")
      json.array { json in for packet in listing.packets { write(packet, to: &json) } }
    }
  }

  private func write<Output: TextOutputStream>(
    _ listing: TagListing.PacketListing, to json: inout JSONWriter<Output>
  ) {
    let packet = listing.packet
    json.object { json in
      json.field("form", "\(packet.form)")
      json.field("codec", packet.codec.description)
      json.field("kind", packet.kind.name)
      json.field("track", packet.trackID)
      json.field("frame_type", packet.frameType.rawValue)
      json.field("composition_time", packet.compositionTime)
      if packet.nanoseconds > 0 { json.field("nanoseconds", packet.nanoseconds) }
      json.field("offset", packet.data.lowerBound)
      json.field("size", packet.data.count)
      if packet.kind == .frames { json.field("key", listing.isKey) }
      if let picture = listing.picture { json.field("picture", picture.name) }
      if listing.hasParameterSets { json.field("parameter_sets", true) }
    }
  }

  private func write<Output: TextOutputStream>(
    _ element: FLVElement, to json: inout JSONWriter<Output>
  ) {
    json.object { json in
      switch element {
      case .tag: break
      case .junk(let range):
        json.field("element", "junk")
        json.field("offset", range.lowerBound)
        json.field("size", range.count)
      case .truncated(let header, let range):
        json.field("element", "truncated")
        json.field("offset", range.lowerBound)
        json.field("size", range.count)
        json.field("type", header.type.rawValue)
        json.field("declared_size", header.dataSize)
      case .end(let size, let expected):
        json.field("element", "end")
        json.field("previous_tag_size", size)
        if let expected { json.field("expected_previous_tag_size", expected) }
      }
    }
  }

  /// Writes dates, and values that JSON does not have, as objects with one member.
  func write<Output: TextOutputStream>(_ value: AMFValue, to json: inout JSONWriter<Output>) {
    switch value {
    case .number(let number): json.number(number)
    case .boolean(let truth): json.truth(truth)
    case .string(let text), .longString(let text): json.value(text.description)
    case .null: json.null()
    case .object(let object), .ecmaArray(_, let object), .typedObject(_, let object):
      json.object { json in
        for member in object.members {
          json.key(member.name.description)
          write(member.value, to: &json)
        }
      }
    case .strictArray(let values):
      json.array { json in for value in values { write(value, to: &json) } }
    case .date(let time, _): tagged("date", &json) { json in json.number(time) }
    case .xmlDocument(let text): tagged("xml", &json) { json in json.value(text.description) }
    case .reference(let index): tagged("reference", &json) { json in json.value(index) }
    case .amf3(let bytes): tagged("amf3", &json) { json in json.value(bytes.hexadecimal()) }
    case .undefined: tagged("undefined", &json) { json in json.truth(true) }
    case .unsupported: tagged("unsupported", &json) { json in json.truth(true) }
    }
  }

  private func tagged<Output: TextOutputStream>(
    _ name: String, _ json: inout JSONWriter<Output>, _ body: (inout JSONWriter<Output>) -> Void
  ) {
    json.object { json in
      json.key(name)
      body(&json)
    }
  }
}
