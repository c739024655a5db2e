// SPDX-License-Identifier: MIT

import ApusBytes
import FLV
import HEVC

/// The tags of a file as a table.
struct FlvText {
  var palette = Palette()

  func headline(_ header: FLVHeader) -> String {
    let what =
      switch (header.hasVideo, header.hasAudio) {
      case (true, true): "pictures and sound"
      case (true, false): "pictures"
      case (false, true): "sound"
      case (false, false): "nothing"
      }
    return "FLV version \(header.version), announces \(what)"
  }

  func line(_ listing: TagListing) -> String {
    let tag = listing.tag
    var parts = [
      pad("\(listing.index)", 7), pad(palette.place("@\(tag.offset)"), 10, of: "@\(tag.offset)"),
      pad("\(tag.time) ms", 12),
      palette.type(padRight(tag.header.type.description, 6)),
      pad("\(tag.header.dataSize)", 8),
    ]
    if let expected = tag.expectedPreviousTagSize, expected != tag.previousTagSize {
      parts.append("(PreviousTagSize \(tag.previousTagSize), not \(expected))")
    }
    if tag.header.filter { parts.append("encrypted") }
    if let script = listing.script {
      parts.append(script.name.map(Field.quotedName) ?? "script without a name")
    }
    if tag.data.isEmpty { parts.append("empty") }
    if let failure = listing.failure {
      parts.append("(cannot be read: \(failure.message.printable))")
    }
    let packets = listing.packets.map(words).joined(separator: "; ")
    if !packets.isEmpty { parts.append(packets) }
    return parts.joined(separator: " ")
  }

  private func words(_ listing: TagListing.PacketListing) -> String {
    let packet = listing.packet
    var words: [String] = []
    if packet.trackID > 0 { words.append("track \(packet.trackID)") }
    words.append(packet.codec.description)
    if packet.codec == .hevc || packet.form == .enhanced { words.append("\(packet.form)") }
    if packet.kind != .frames { words.append(packet.kind.words) }
    if let picture = listing.picture { words.append(picture.name) }
    if listing.hasParameterSets { words.append("with parameter sets") }
    if listing.isKey { words.append(palette.name("key")) }
    let saysKey = packet.frameType == .key || packet.frameType == .generatedKey
    if packet.kind == .frames, listing.picture != nil, saysKey != listing.isKey {
      words.append("(tag says \(packet.frameType))")
    }
    if packet.compositionTime != 0 {
      words.append((packet.compositionTime > 0 ? "+" : "") + "\(packet.compositionTime) ms")
    }
    if packet.nanoseconds > 0 { words.append("+\(packet.nanoseconds) ns") }
    return words.joined(separator: " ")
  }

  func line(_ element: FLVElement) -> String? {
    switch element {
    case .tag: nil
    case .junk(let range): "\(range.count) bytes at @\(range.lowerBound) belong to no tag"
    case .truncated(let header, let range):
      "@\(range.lowerBound) \(header.type) of \(header.dataSize) bytes is cut off"
    case .end(let size, let expected):
      size == expected ?? size ? nil : "last PreviousTagSize is \(size), not \(expected ?? 0)"
    }
  }

  /// Returns the members of metadata, one per line; long ones are shortened.
  func lines(_ message: AMFMessage) -> [String] {
    guard let metadata = message.metadata else { return [] }
    return metadata.members.map { member in
      let text = Self.text(member.value)
      let short = text.count > 72 ? String(text.prefix(72)) + "…" : text
      return "        \(palette.name(Field.quotedName(member.name.description))) = \(short)"
    }
  }

  static func text(_ value: AMFValue) -> String {
    switch value {
    case .number(let number): number.shortest
    case .boolean(let truth): truth ? "true" : "false"
    case .string(let text), .longString(let text), .xmlDocument(let text):
      Field.quoted(text.description)
    case .null, .undefined, .unsupported, .reference, .amf3: "\(value)"
    case .date(let time, _): "date \(time.shortest)"
    case .strictArray(let values): "[" + values.map(text).joined(separator: " ") + "]"
    case .object(let object), .ecmaArray(_, let object), .typedObject(_, let object):
      "{"
        + object.members.map { "\(Field.quotedName($0.name.description))=\(text($0.value))" }
        .joined(separator: " ") + "}"
    }
  }

  private func pad(_ text: String, _ width: Int, of plain: String? = nil) -> String {
    String(repeating: " ", count: max(0, width - (plain ?? text).count)) + text
  }

  private func padRight(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}

extension Packet.Kind {
  var words: String {
    switch self {
    case .configuration: "configuration"
    case .frames: "frame"
    case .end: "end of sequence"
    case .metadata: "colour information"
    case .channels: "channel configuration"
    case .command: "command"
    case .other: "packet of unknown type"
    }
  }

  /// The name of the kind in JSON.
  var name: String {
    switch self {
    case .configuration: "configuration"
    case .frames: "frames"
    case .end: "end"
    case .metadata: "metadata"
    case .channels: "channels"
    case .command: "command"
    case .other: "other"
    }
  }
}

extension Field {
  /// Returns the name, quoted if it has characters that could control a terminal.
  fileprivate static func quotedName(_ name: String) -> String {
    let isPlain = name.unicodeScalars.allSatisfy { (0x21..<0x7f).contains($0.value) }
    return isPlain && !name.isEmpty ? name : quoted(name)
  }
}
