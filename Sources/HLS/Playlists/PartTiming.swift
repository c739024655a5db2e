// SPDX-License-Identifier: MIT

public import ApusMedia

/// The properties of a playlist's parts: `EXT-X-PART-INF`, and those of `EXT-X-SERVER-CONTROL` for low latency (RFC
/// 8216bis, 4.4.3.7 and 4.4.3.8).
public struct PartTiming: Hashable, Sendable {
  /// The longest duration of a part (`PART-TARGET`).
  public var target: RationalTime
  /// The distance that players should keep from the end of the playlist (`PART-HOLD-BACK`).
  public var holdBack: RationalTime?
  /// Whether the server holds a request until the playlist has the requested part (`CAN-BLOCK-RELOAD`).
  public var canBlockReload = false

  /// Creates the properties with the longest duration of a part.
  public init(target: RationalTime) { self.target = target }
}
