// SPDX-License-Identifier: MIT

public import Media

/// What a playlist says of its parts: `EXT-X-PART-INF`, and what `EXT-X-SERVER-CONTROL` has for low latency (RFC 8216bis,
/// 4.4.3.7 and 4.4.3.8).
public struct PartTiming: Hashable, Sendable {
  /// No part is longer (`PART-TARGET`).
  public var target: RationalTime
  /// How far from the end of the playlist players should stay (`PART-HOLD-BACK`).
  public var holdBack: RationalTime?
  /// Whether the server holds a request until its playlist has what is asked for (`CAN-BLOCK-RELOAD`).
  public var canBlockReload = false

  public init(target: RationalTime) { self.target = target }
}
