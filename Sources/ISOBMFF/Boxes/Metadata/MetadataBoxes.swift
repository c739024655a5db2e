// SPDX-License-Identifier: MIT

/// User data and metadata, ISO and QuickTime.
enum MetadataBoxes {
  static let all: [any Box.Type] = []
}
