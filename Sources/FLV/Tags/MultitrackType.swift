// SPDX-License-Identifier: MIT

public import ApusBytes

/// The way in which the tracks of one packet share its header: Enhanced RTMP v2, `AvMultitrackType`.
public struct MultitrackType: RawRepresentable, Hashable, Sendable, FieldCoded {
  public var rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// One track, to the end of the packet.
  public static let oneTrack = MultitrackType(rawValue: 0)
  /// Several tracks of one codec, each with its size.
  public static let manyTracks = MultitrackType(rawValue: 1)
  /// Several tracks, each with its codec and size.
  public static let manyTracksManyCodecs = MultitrackType(rawValue: 2)

  public init() { rawValue = 0 }
  public init(fieldBits: UInt64) { rawValue = UInt8(truncatingIfNeeded: fieldBits) }
  public var fieldBits: UInt64 { UInt64(rawValue) }
  public static var kind: FieldKind { .unsigned }
}
