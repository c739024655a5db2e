// SPDX-License-Identifier: MIT

/// The reasons why a tag cannot be passed on, and the faults of tags that can.
public enum TagFault: Hashable, Sendable, CaseIterable {
  case encrypted
  /// Its type is neither audio, video nor script.
  case unknownType
  /// Its data end too soon, or are inconsistent.
  case unreadable
  /// Its packet type is unknown, or it is a command that is too large for one.
  case unknownPacket
  /// It holds frames of another codec than the last configuration of its track.
  case otherCodec
  /// It is a script that cannot be read.
  case script
  /// The `PreviousTagSize` before it does not match the previous tag.
  case size
  /// Its time is more than an hour after that of the previous tag.
  case leap
  /// Its time is before earlier ones of its track, after which times continue.
  case restart
  /// Its time decreases by less than a step, and is held.
  case fall
  /// Its picture is shown more than a minute before or after it is decoded.
  case shown
  /// The lengths of its NAL units do not add up to its frame.
  case lengths
}

extension TagFault {
  /// Returns a description of this fault in a number of tags.
  ///
  /// - Parameters:
  ///   - place: the place of the first.
  ///   - fall: the times between which the first decreases, in milliseconds.
  ///   - copies: whether tags that are not understood are copied unchanged, rather than left out.
  ///   - repairsTimes: whether times are changed where they decrease.
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
  /// The largest data of a command to the player, in bytes; it usually has one or two.
  private static let largestCommand = 8

  /// Returns the fault of the tag by itself, if any.
  ///
  /// - Parameter packets: the packets found in it.
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
