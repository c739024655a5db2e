// SPDX-License-Identifier: MIT

/// Boxes that say where and when each sample is.
enum SampleTableBoxes {
  static let all: [any Box.Type] = [
    SampleSizes.self
  ]
}
