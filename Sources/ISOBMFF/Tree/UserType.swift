// SPDX-License-Identifier: MIT

internal import ApusBytes

/// The type of a `uuid` box: ISO/IEC 14496-12, 4.2.2.
public struct UserType: Hashable, Sendable {
  /// The 16 bytes in the header of the box.
  public let bytes: [UInt8]
  /// The name of what the box contains.
  public let name: String

  /// Creates a type from its UUID with hyphens.
  init(_ uuid: StaticString, _ name: String) {
    bytes = [UInt8](hexadecimal: uuid.description.filter { $0 != "-" }) ?? []
    self.name = name
  }
}
