// SPDX-License-Identifier: MIT

/// The declaration of a box type in its context, stored with the steps of a box's path
/// (`SyntaxReader.Step.declaration`).
final class BoxDeclaration: Sendable {
  /// The type of the box; `nil` if the body is never parsed.
  let box: (any Box.Type)?

  init(_ box: (any Box.Type)?) { self.box = box }

  /// The declaration of media data.
  static let lazy = BoxDeclaration(nil)

  var isLazy: Bool { box == nil }
}
