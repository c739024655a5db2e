// SPDX-License-Identifier: MIT

/// Boxes of movie fragments and segments.
enum FragmentBoxes {
  static let all: [any Box.Type] = []
}
