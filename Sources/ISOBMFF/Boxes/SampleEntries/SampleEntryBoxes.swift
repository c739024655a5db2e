// SPDX-License-Identifier: MIT

/// Sample descriptions and what stands in them.
enum SampleEntryBoxes {
  static let all: [any Box.Type] = []
}
