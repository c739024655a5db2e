// SPDX-License-Identifier: MIT

internal import Bytes
public import HEVC
public import ISOBMFF

/// Whether Apple's players take an HEVC track or item: entries of type `hvc1`, Main or Main 10, 4:2:0.
public struct AppleSubset: Hashable, Sendable {
  /// Why not; empty where they do.
  public var reasons: [String] = []

  public var isMet: Bool { reasons.isEmpty }

  /// Checks the entry of a track; `nil` for one that is not HEVC.
  public init?(_ entry: TrackSampleEntry) {
    guard let record = entry.located.child("hvcC")?.box(HEVCConfiguration.self)?.record else {
      return nil
    }
    if !["hvc1", "dvh1"].contains(entry.codingType) {
      reasons.append("the sample entry is \(entry.codingType), asked for is hvc1")
    }
    if entry.type != entry.codingType, entry.type == "encv" { reasons.append("it is encrypted") }
    check(record)
  }

  /// Checks the record of an item.
  public init(_ record: DecoderConfigurationRecord) { check(record) }

  private mutating func check(_ record: DecoderConfigurationRecord) {
    let profile = record.profileTierLevel.general
    if ![1, 2, 3].contains(profile.profileIDC), ![1, 2, 3].contains(where: profile.conforms(to:)) {
      let name = record.profileName ?? "profile \(record.generalProfileIDC)"
      reasons.append("the profile is \(name), asked for are Main and Main 10")
    }
    if record.chromaFormatIDC != 1 {
      reasons.append("the chroma format is \(record.chromaFormatName), asked for is 4:2:0")
    }
    let depth = max(record.bitDepthLuma, record.bitDepthChroma)
    if depth > 10 { reasons.append("samples have \(depth) bits, asked for are 8 or 10") }
  }
}
