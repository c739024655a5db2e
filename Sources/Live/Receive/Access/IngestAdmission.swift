// SPDX-License-Identifier: MIT

/// How many may come, and for how long.
public struct IngestAdmission: Hashable, Sendable {
  /// Connections from one address at a time.
  public var perAddress = Int.max
  /// Players of one stream at a time.
  public var perStream = Int.max
  /// Nanoseconds that a stream may last; `nil` for no limit.
  public var longest: Int64?
  /// Whether a publisher takes the place of one that publishes the same stream already.
  public var takesOver = false

  public init() {}
}
