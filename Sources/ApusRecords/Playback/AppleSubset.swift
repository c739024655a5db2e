// SPDX-License-Identifier: MIT

internal import ApusBytes
public import HEVC
public import ISOBMFF

/// The support of Apple's players for an HEVC track or item, which requires entries of type `hvc1`, Main or Main 10,
/// and 4:2:0.
public struct AppleSubset: Hashable, Sendable {
  /// The reasons why it is not supported; empty if it is.
  public var reasons: [String] = []

  /// Whether Apple's players support it, as far as its configuration shows.
  public var isMet: Bool { reasons.isEmpty }

  /// Checks the entry of a track; `nil` if it is not HEVC.
  public init?(_ entry: TrackSampleEntry, headers: HeadersReader = HeadersReader()) {
    guard let record = entry.located.box(at: "hvcC", as: HEVCConfiguration.self)?.record else {
      return nil
    }
    var entryReasons: [String] = []
    if !["hvc1", "dvh1"].contains(entry.codingType) {
      entryReasons.append("the sample entry is \(entry.codingType), not hvc1")
    }
    if entry.type != entry.codingType, entry.type == "encv" {
      entryReasons.append("it is encrypted")
    }
    self.init(record, headers: headers)
    reasons = entryReasons + reasons
  }

  /// Checks the stream of a record, using its sequence parameter set, which decoders use, or the fields of the record
  /// if there is no readable one.
  public init(_ record: DecoderConfigurationRecord, headers: HeadersReader = HeadersReader()) {
    let sequence = headers.headers(of: record).baseSequences.first
    let level = sequence?.profileTierLevel ?? record.profileTierLevel
    let profile = level.general
    if ![1, 2, 3].contains(profile.profileIDC), ![1, 2, 3].contains(where: profile.conforms(to:)) {
      let name = level.profileName ?? "profile \(profile.profileIDC)"
      reasons.append("the profile is \(name), not Main or Main 10")
    }
    if sequence?.format.chromaFormatIDC ?? record.chromaFormatIDC != 1 {
      let name = sequence?.chromaFormatName ?? record.chromaFormatName
      reasons.append("the chroma format is \(name), not 4:2:0")
    }
    let depth =
      sequence.map { max($0.bitDepthLuma, $0.bitDepthChroma) }
      ?? max(record.bitDepthLuma, record.bitDepthChroma)
    if depth > 10 { reasons.append("samples have \(depth) bits, not 8 or 10") }
  }
}
