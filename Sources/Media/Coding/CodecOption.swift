// SPDX-License-Identifier: MIT

/// Something that can be set on an encoder or a decoder, as its library describes it.
public struct CodecOption: Hashable, Sendable {
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    case flag, integer, number, text, choice, flags, fraction, duration, other
  }

  public var name: String
  public var kind: Kind
  /// The default value, as it would be typed; `nil` where there is none.
  public var standard: String?
  /// The least and the greatest, as they would be typed; `nil` where nothing bounds it.
  public var least: String?
  public var greatest: String?
  /// Words that may be typed for values.
  public var choices: [String] = []
  /// The library's own words.
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
