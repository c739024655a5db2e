// SPDX-License-Identifier: MIT

/// Decoder configurations.
enum CodecBoxes {
  static let all: [any Box.Type] = []
}
