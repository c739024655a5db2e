// SPDX-License-Identifier: MIT

/// Boxes of a movie, its tracks and their media.
enum MovieBoxes {
  static let all: [any Box.Type] = [
    Container.self
  ]
}
