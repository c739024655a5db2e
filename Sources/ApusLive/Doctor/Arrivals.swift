// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusContainers
internal import FLV
internal import RTMP

/// The packets that the player of a trial received.
public struct Arrivals: Hashable, Sendable {
  /// The number of pictures, whatever their codec.
  public internal(set) var pictures = 0
  /// The number of them that equal the published picture byte for byte.
  public internal(set) var samePictures = 0
  /// The number of frames of sound.
  public internal(set) var sounds = 0
  /// Whether a script tag, such as `onMetaData`, arrived.
  public internal(set) var hasMetadata = false
  /// The forms in which the pictures came, such as `HEVC (legacy)`.
  public internal(set) var forms: [String] = []

  private static let mostForms = 4

  var isEmpty: Bool { self == Arrivals() }

  mutating func add(_ tag: ReceivedTag, lookingFor picture: [UInt8]) throws {
    if tag.type == .script { hasMetadata = true }
    guard tag.type.isMedia else { return }
    let header = try TagHeader(tag.type, dataSize: tag.data.count, timestamp: tag.timestamp)
    for item in FLVTracks.Item.items(of: header, tag.data, at: tag.time, offset: 0, Limits()) {
      guard item.packet.kind == .frames, !item.data.isEmpty else { continue }
      guard tag.type == .video else {
        sounds += 1
        continue
      }
      pictures += 1
      note(item.packet)
      guard item.data.count == picture.count else { continue }
      if try item.data.bytes() == picture { samePictures += 1 }
    }
  }

  private mutating func note(_ packet: Packet) {
    var form = "\(packet.codec)"
    if packet.codec == .hevc { form += packet.form == .enhanced ? " (enhanced)" : " (legacy)" }
    if !forms.contains(form), forms.count < Self.mostForms { forms.append(form) }
  }
}
