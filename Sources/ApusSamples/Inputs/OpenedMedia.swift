// SPDX-License-Identifier: MIT

/// The samples of an input, and warnings for the user.
public struct OpenedMedia: Sendable {
  public var source: any SampleSource & Sendable
  public var warnings: [String]

  public init(_ source: any SampleSource & Sendable, warnings: [String]) {
    self.source = source
    self.warnings = warnings
  }
}
