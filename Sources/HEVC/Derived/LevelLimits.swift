// SPDX-License-Identifier: MIT

/// The limits of a level: ITU-T H.265, tables A.8 and A.9.
public struct LevelLimits: Hashable, Sendable {
  /// `general_level_idc`, which is 30 times the number of the level.
  public let level: UInt8
  /// The maximum number of luma samples in a picture (`MaxLumaPs`).
  public let pictureSize: Int
  /// The maximum number of luma samples per second (`MaxLumaSr`).
  public let sampleRate: Int
  /// The `MaxBR` of the Main tier, in bits per second with the factor of NAL units for Main and Main 10.
  public let mainBitRate: Int
  /// The `MaxBR` of the High tier, in bits per second; that of the Main tier if the level has no other.
  public let highBitRate: Int

  private init(_ level: UInt8, _ size: Int, _ rate: Int, _ main: Int, _ high: Int? = nil) {
    self.level = level
    pictureSize = size
    sampleRate = rate
    mainBitRate = main * 1100
    highBitRate = (high ?? main) * 1100
  }

  /// All levels, the lowest first.
  public static let all: [LevelLimits] = [
    LevelLimits(30, 36_864, 552_960, 128),
    LevelLimits(60, 122_880, 3_686_400, 1500),
    LevelLimits(63, 245_760, 7_372_800, 3000),
    LevelLimits(90, 552_960, 16_588_800, 6000),
    LevelLimits(93, 983_040, 33_177_600, 10_000),
    LevelLimits(120, 2_228_224, 66_846_720, 12_000, 30_000),
    LevelLimits(123, 2_228_224, 133_693_440, 20_000, 50_000),
    LevelLimits(150, 8_912_896, 267_386_880, 25_000, 100_000),
    LevelLimits(153, 8_912_896, 534_773_760, 40_000, 160_000),
    LevelLimits(156, 8_912_896, 1_069_547_520, 60_000, 240_000),
    LevelLimits(180, 35_651_584, 1_069_547_520, 60_000, 240_000),
    LevelLimits(183, 35_651_584, 2_139_095_040, 120_000, 480_000),
    LevelLimits(186, 35_651_584, 4_278_190_080, 240_000, 800_000),
  ]

  /// The limits of a level; `nil` for a level that is not in the table, such as 8.5.
  public init?(level: UInt8) {
    guard let limits = Self.all.first(where: { $0.level == level }) else { return nil }
    self = limits
  }

  /// Returns whether a picture is within the size limit, and no side is much longer than the other.
  public func holds(width: Int, height: Int) -> Bool {
    let (size, overflow) = width.multipliedReportingOverflow(by: height)
    return !overflow && size <= pictureSize && width * width <= 8 * pictureSize
      && height * height <= 8 * pictureSize
  }
}
