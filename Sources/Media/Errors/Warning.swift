// SPDX-License-Identifier: MIT

/// What a person should know although the job goes on.
public struct Warning: Hashable, Sendable {
  public var text: String
  /// What a person can do about it.
  public var remedy: Remedy?

  public init(_ text: String, remedy: Remedy? = nil) {
    self.text = text
    self.remedy = remedy
  }
}

extension Warning: ExpressibleByStringInterpolation {
  public init(stringLiteral text: String) { self.init(text) }
}

extension Warning: CustomStringConvertible {
  public var description: String { text }
}
