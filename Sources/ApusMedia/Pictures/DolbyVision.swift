// SPDX-License-Identifier: MIT

/// The configuration of a Dolby Vision decoder: Dolby Vision Streams Within the ISO Base Media File Format 2.4, 3.2.
public struct DolbyVision: Hashable, Sendable {
  /// The major version of the configuration's format.
  public var versionMajor: UInt8 = 1
  /// The minor version of the configuration's format.
  public var versionMinor: UInt8 = 0
  /// The profile, such as 5 or 8.
  public var profile: UInt8
  /// The level, from 1 to 13, which limits size and rate.
  public var level: UInt8
  /// Whether each picture has a reference processing unit, which describes its mapping.
  public var hasRPUs = true
  /// Whether pictures of an enhancement layer are in the same track.
  public var hasEnhancementLayer = false
  /// Whether pictures of the base layer are in the same track.
  public var hasBaseLayer = true
  /// The compatibility of the base layer with other players: 0 none, 1 HDR10, 2 SDR, 4 HLG, 6 HDR10 of a disc.
  public var compatibility: UInt8 = 0
  /// The compression of metadata: 0 none, 1 limited, 3 extended.
  public var compression: UInt8 = 0

  public init(profile: UInt8, level: UInt8) {
    self.profile = profile
    self.level = level
  }

  /// The common name, such as `Dolby Vision 8.4`.
  public var name: String {
    "Dolby Vision \(profile)" + (compatibility > 0 ? ".\(compatibility)" : "")
  }

  /// Whether only a Dolby Vision player shows the base layer in its colours, so that its sample entry must be unknown
  /// to other players.
  public var isExclusive: Bool {
    switch profile {
    case 5: true
    case 10, 20: compatibility == 0
    default: false
    }
  }

  /// Returns the lowest level for pictures of this size and rate: Dolby Vision Profiles and Levels 1.3.2, 2.2. `nil` if
  /// it exceeds all levels.
  ///
  /// - Parameter rate: the pictures per second.
  public static func level(width: Int, height: Int, rate: Double) -> UInt8? {
    let wanted = Double(width) * Double(height) * rate
    let place = levels.firstIndex { width <= $0.width && wanted <= $0.samples * 1.001 }
    return place.map { UInt8($0 + 1) }
  }

  /// The maximum width and samples per second of each level, from 1.
  private static let levels: [(width: Int, samples: Double)] = [
    (1280, 1280 * 720 * 24), (1280, 1280 * 720 * 30), (1920, 1920 * 1080 * 24),
    (2560, 1920 * 1080 * 30), (3840, 1920 * 1080 * 60), (3840, 3840 * 2160 * 24),
    (3840, 3840 * 2160 * 30), (3840, 3840 * 2160 * 48), (3840, 3840 * 2160 * 60),
    (3840, 3840 * 2160 * 120), (7680, 3840 * 2160 * 120), (7680, 7680 * 4320 * 60),
    (7680, 7680 * 4320 * 120),
  ]
}
