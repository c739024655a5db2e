// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ISOBMFF

/// The kind of an auxiliary picture, by its URN (`auxC`): ISO/IEC 23008-12, 6.5.8; ISO/IEC 23008-2, F.14.
public enum AuxiliaryKind: Hashable, Sendable {
  case alpha
  /// Depth or disparity.
  case depth
  case gainMap
  /// A matte of a person or a part of one: `portrait`, `skin`, `hair` …
  case matte(String)

  /// Creates the kind of a URN; `nil` if that is unknown.
  public init?(urn: String) {
    switch urn {
    case "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha", "urn:mpeg:hevc:2015:auxid:1",
      "urn:mpeg:avc:2015:auxid:1":
      self = .alpha
    case "urn:mpeg:mpegB:cicp:systems:auxiliary:depth", "urn:mpeg:hevc:2015:auxid:2",
      "urn:mpeg:avc:2015:auxid:2":
      self = .depth
    default:
      // Apple and Samsung: urn:com:apple:photo:2019:aux:semantichairmatte.
      let parts = urn.split(separator: ":")
      guard urn.hasPrefix("urn:com:"), let last = parts.last else { return nil }
      if last == "hdrgainmap" {
        self = .gainMap
      } else if let matte = Self.mattes[String(last)] {
        self = .matte(matte)
      } else {
        return nil
      }
    }
  }

  /// A name for people: `hair matte`.
  public var name: String {
    switch self {
    case .alpha: "alpha"
    case .depth: "depth"
    case .gainMap: "gain map"
    case .matte(let part): "\(part) matte"
    }
  }

  private static let mattes = [
    "portraiteffectsmatte": "portrait", "semanticskinmatte": "skin", "semantichairmatte": "hair",
    "semanticteethmatte": "teeth", "semanticglassesmatte": "glasses", "semanticskymatte": "sky",
  ]
}

extension Item {
  /// The URN of an auxiliary picture.
  public var auxiliaryURN: String? {
    property(AuxiliaryType.self)?.auxType.description
  }

  /// The kind of an auxiliary picture; `nil` for other items and unknown URNs.
  public var auxiliaryKind: AuxiliaryKind? { auxiliaryURN.flatMap(AuxiliaryKind.init(urn:)) }
}
