// SPDX-License-Identifier: MIT

/// An option of an encoder or a decoder, as described by its library.
public struct CodecOption: Hashable, Sendable {
  /// The type of an option's value.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    case flag, integer, number, text, choice, flags, fraction, duration, other
  }

  /// The name in the library, such as `preset`.
  public var name: String
  /// The type of the value.
  public var kind: Kind
  /// The default value as text; `nil` if there is none.
  public var standard: String?
  /// The minimum as text; `nil` if there is no limit.
  public var least: String?
  /// The maximum as text; `nil` if there is no limit.
  public var greatest: String?
  /// The names of values.
  public var choices: [String] = []
  /// The library's description.
  public var purpose: String

  public init(
    _ name: String, _ kind: Kind, standard: String? = nil, least: String? = nil,
    greatest: String? = nil, choices: [String] = [], purpose: String = ""
  ) {
    self.name = name
    self.kind = kind
    self.standard = standard
    self.least = least
    self.greatest = greatest
    self.choices = choices
    self.purpose = purpose
  }
}
