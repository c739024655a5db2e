// SPDX-License-Identifier: MIT

package import ApusFiles

/// One file of a batch, before it is worked on.
package struct BatchItem: Sendable {
  /// The position of the file in its batch, from 1. Worker processes refer to the file by this number.
  package let number: Int
  package let name: InputName
  /// The values of placeholders that may appear in the name of its output.
  package let fields: NameFields
  /// The file as it was when its turn came; `nil` where there was none.
  package let file: FileIdentity?
  /// The planner's decision; `nil` for a photo to be converted.
  package let decision: FileDecision?
  /// Whether an earlier batch began this item and was cut short.
  package var wasCutShort = false
  /// Outputs that an earlier attempt has given their final names, keyed by the names that were requested.
  package var made: [String: String] = [:]

  package init(
    _ name: InputName, number: Int, _ fields: NameFields, _ decision: FileDecision? = nil
  ) {
    self.number = number
    self.name = name
    self.fields = fields
    self.decision = decision
    file = Self.file(of: name)
  }

  /// Returns the identity of an input file. Standard input is usually a pipe.
  static func file(of name: InputName) -> FileIdentity? {
    FileIdentity(name.path == "-" ? "/dev/stdin" : name.path)
  }
}
