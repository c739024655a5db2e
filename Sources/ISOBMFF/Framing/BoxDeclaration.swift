// SPDX-License-Identifier: MIT

/// What a type of box stands for at its place; kept with the steps of the way to a box (`SyntaxReader.Step.declaration`).
final class BoxDeclaration: Sendable {
  /// This is `nil` where the body is never read.
  let box: (any Box.Type)?

  init(_ box: (any Box.Type)?) { self.box = box }

  /// Media data.
  static let lazy = BoxDeclaration(nil)

  var isLazy: Bool { box == nil }
}
