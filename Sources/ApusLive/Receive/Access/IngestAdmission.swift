// SPDX-License-Identifier: MIT

/// Limits on the number of clients and the duration of streams.
public struct IngestAdmission: Hashable, Sendable {
  /// The most simultaneous connections from one address.
  public var perAddress = Int.max
  /// The most simultaneous players of one stream.
  public var perStream = Int.max
  /// The longest duration of a stream; `nil` for no limit.
  public var longest: Duration?
  /// Whether a new publisher replaces one that already publishes the same stream.
  public var takesOver = false

  /// Creates limits that admit everything, except for a second publisher of a stream.
  public init() {}
}
