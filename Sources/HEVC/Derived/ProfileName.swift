// SPDX-License-Identifier: MIT

extension ProfileIndication {
  /// The name of the profile in ITU-T H.265, Annexes A, F, G, H and I; `nil` if it has none.
  public var profileName: String? {
    guard profileSpace == 0 else { return nil }
    switch namedProfile {
    case 1: return "Main"
    case 2: return onePictureOnlyConstraintFlag ? "Main 10 Still Picture" : "Main 10"
    case 3: return "Main Still Picture"
    case 4: return rangeExtensionName ?? "Format Range Extensions"
    case 5: return highThroughputName("High Throughput")
    case 6: return "Multiview Main"
    case 7: return max8bitConstraintFlag ? "Scalable Main" : "Scalable Main 10"
    case 8: return "3D Main"
    case 9: return screenExtendedName
    case 10: return scalableRangeExtensionName
    case 11: return highThroughputName("Screen-Extended High Throughput")
    default: return nil
    }
  }

  /// The profile's number; if it is 0, the first profile that the sequence is compatible with.
  private var namedProfile: UInt8 {
    profileIDC != 0 ? profileIDC : (1...11).first(where: conforms) ?? 0
  }

  private var depth: Int {
    max8bitConstraintFlag ? 8 : max10bitConstraintFlag ? 10 : max12bitConstraintFlag ? 12 : 16
  }

  private var isFullChroma: Bool { !max422chromaConstraintFlag && !max420chromaConstraintFlag }

  /// Table A.2.
  private var rangeExtensionName: String? {
    let family =
      maxMonochromeConstraintFlag
      ? "Monochrome"
      : max420chromaConstraintFlag
        ? "Main" : max422chromaConstraintFlag ? "Main 4:2:2" : "Main 4:4:4"
    var name = depth == 8 ? family : "\(family) \(depth)"
    if onePictureOnlyConstraintFlag {
      name += " Still Picture"
    } else if intraConstraintFlag {
      name += " Intra"
    }
    return Self.rangeExtensions.contains(name) ? name : nil
  }

  private static let rangeExtensions: Set<String> = [
    "Monochrome", "Monochrome 10", "Monochrome 12", "Monochrome 16", "Main 12", "Main 4:2:2 10",
    "Main 4:2:2 12", "Main 4:4:4", "Main 4:4:4 10", "Main 4:4:4 12", "Main Intra",
    "Main 10 Intra", "Main 12 Intra", "Main 4:2:2 10 Intra", "Main 4:2:2 12 Intra",
    "Main 4:4:4 Intra", "Main 4:4:4 10 Intra", "Main 4:4:4 12 Intra", "Main 4:4:4 16 Intra",
    "Main 4:4:4 Still Picture", "Main 4:4:4 16 Still Picture",
  ]

  /// Tables A.3 and A.5.
  private func highThroughputName(_ family: String) -> String {
    if max8bitConstraintFlag { return "\(family) 4:4:4" }
    if max10bitConstraintFlag { return "\(family) 4:4:4 10" }
    return max14bitConstraintFlag ? "\(family) 4:4:4 14" : "\(family) 4:4:4 16 Intra"
  }

  /// Table A.4.
  private var screenExtendedName: String {
    let family = isFullChroma ? "Screen-Extended Main 4:4:4" : "Screen-Extended Main"
    return depth == 8 ? family : "\(family) 10"
  }

  /// Table H.4.
  private var scalableRangeExtensionName: String {
    guard maxMonochromeConstraintFlag else { return "Scalable Main 4:4:4" }
    return depth == 8 ? "Scalable Monochrome" : "Scalable Monochrome \(depth)"
  }

  /// `Main` or `High`.
  public var tierName: String { tierFlag ? "High" : "Main" }
}

/// Names of `general_level_idc`, which is 30 times the level: ITU-T H.265, A.4.
public enum Level {
  /// Returns the level as text: `5.1`, or with the rest in thirtieths if it is no level of the standard.
  public static func name(of idc: UInt8) -> String {
    if idc == 255 { return "8.5" }
    let (major, rest) = (idc / 30, idc % 30)
    return rest % 3 == 0 ? "\(major).\(rest / 3)" : "\(major).\(rest / 3) and \(rest % 3)/30"
  }
}

extension ProfileTierLevel {
  /// The name of the general profile; `nil` if it has none.
  public var profileName: String? { general.profileName }
  /// The name of the general tier: `Main` or `High`.
  public var tierName: String { general.tierName }
  /// `4.0`, `5.1`.
  public var levelName: String { Level.name(of: generalLevelIDC) }
}
