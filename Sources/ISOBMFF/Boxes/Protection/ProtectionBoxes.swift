// SPDX-License-Identifier: MIT

/// Protection schemes and common encryption.
enum ProtectionBoxes {
  static let all: [any Box.Type] = []
}
