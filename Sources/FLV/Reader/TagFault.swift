// SPDX-License-Identifier: MIT

/// Why nothing of a tag can be passed on, or what cannot be right about it.
public enum TagFault: Hashable, Sendable, CaseIterable {
  case encrypted
  /// Its type is neither audio, video nor script.
  case unknownType
  /// Its data end too soon, or contradict themselves.
  case unreadable
  /// Its packet type says nothing known, or it is a command too large for one.
  case unknownPacket
  /// It holds frames of another codec than the last configuration of its track.
  case otherCodec
  /// A script that cannot be read.
  case script
  /// The `PreviousTagSize` after the tag before it is not that of the tag.
  case size
  /// Its time is more than an hour after that of the tag before it.
  case leap
  /// Its time lies before those of its track that came already, from which times go on.
  case restart
  /// Its time falls by less than a step, and is held.
  case fall
  /// Its picture is shown more than a minute before or after it is decoded.
  case shown
  /// The lengths of its NAL units do not add up to its frame.
  case lengths
}

extension TagFault {
  /// What holds for so many tags, as text.
  ///
  /// - Parameters:
  ///   - place: of the first.
  ///   - fall: the times between which the first falls, in milliseconds.
  ///   - copies: whether tags that are not understood are copied as they are, and not left out.
  ///   - repairsTimes: whether times are changed where they fall.
  func words(
    _ count: Int, first place: String, fall: (from: Int64, to: Int64)?, copies: Bool,
    repairsTimes: Bool
  ) -> String {
    let first = count == 1 ? place : "the first \(place)"
    let places = count == 1 ? first : "at \(count) places, \(first)"
    let fell =
      fall.map { "\(places), from \($0.from) ms to \($0.to) ms" } ?? places
    func tags(_ one: String, _ many: String) -> String {
      let verb = (count == 1 ? "is" : "are") + (copies ? " not understood" : " left out")
      return "\(count) \(count == 1 ? one : many) \(verb), \(first)"
    }
    return switch self {
    case .encrypted: tags("encrypted tag", "encrypted tags")
    case .unknownType: tags("tag of unknown type", "tags of unknown type")
    case .unreadable: tags("tag that cannot be read", "tags that cannot be read")
    case .unknownPacket: tags("tag of unknown packet type", "tags of unknown packet type")
    case .otherCodec:
      tags("tag of another codec than its track", "tags of another codec than their track")
    case .script: "script data cannot be read \(places)"
    case .size: "PreviousTagSize is not the size of the tag before it \(places)"
    case .leap: "timestamps jump ahead by more than an hour \(places)"
    case .restart:
      "timestamps go back\(repairsTimes ? ", and continue after the last," : "") \(fell)"
    case .fall: "decoding times go back\(repairsTimes ? ", and are held," : "") \(fell)"
    case .shown: "pictures are shown more than a minute away from their decoding time \(places)"
    case .lengths: "NAL units do not fit their frame \(places)"
    }
  }
}

extension TagHeader {
  /// Largest data of a command to the player, which has a byte or two.
  private static let largestCommand = 8

  /// What is wrong with the tag by itself.
  ///
  /// - Parameter packets: what was found in it.
  public func fault(_ packets: [Packet]) -> TagFault? {
    guard !filter else { return .encrypted }
    guard type.isKnown else { return .unknownType }
    guard type.isMedia, dataSize > 0 else { return nil }
    guard !packets.isEmpty else { return .unreadable }
    let isStrange = packets.contains { packet in
      switch packet.kind {
      case .other: true
      case .end, .command: packet.data.count > Self.largestCommand
      default: false
      }
    }
    return isStrange ? .unknownPacket : nil
  }
}
