// SPDX-License-Identifier: MIT

/// The samples of an input, and warnings for the user.
public struct OpenedMedia: Sendable {
  /// The tracks and samples, which the receiver pulls.
  public var source: any SampleSource & Sendable
  /// Warnings about parts that are left out or values that are assumed, as sentences.
  public var warnings: [String]
  /// Whether it can be read only once.
  public var isGrowing = false

  /// Creates the result of an opener.
  public init(_ source: any SampleSource & Sendable, warnings: [String]) {
    self.source = source
    self.warnings = warnings
  }
}
