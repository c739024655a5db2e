// SPDX-License-Identifier: MIT

internal import ApusBytes

extension Node {
  /// The name of what the box contains, if its type alone does not say so: of a user type, a superbox of JUMBF, or the
  /// data of a content protection system.
  public var name: String? {
    switch type {
    case "uuid":
      if let system = body(as: PIFFProtectionHeader.self)?.system {
        "PIFF protection system, \(system)"
      } else {
        BoxRegistry.standard.userType(header.userType)?.name
      }
    case "jumb": body(as: UniversalMetadata.self)?.label
    case "pssh": body(as: ProtectionSystemSpecificHeader.self)?.system
    default: nil
    }
  }
}
