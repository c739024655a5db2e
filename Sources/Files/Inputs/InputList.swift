// SPDX-License-Identifier: MIT

/// The files that a job reads, as a person names them: files, patterns, folders, and lists of names.
public struct InputList: Hashable, Sendable {
  /// Files, patterns that no shell has expanded, folders, and `-` for standard input.
  public var operands: [String]
  /// Whether the files in folders are taken, however deep.
  public var recursive: Bool
  /// Files that hold names, one a line.
  public var lists: [String] = []
  /// Whether names in lists end with NUL, even if there is none.
  public var isNullEnded = false
  /// Whether the job takes folders at all.
  public var takesFolders = true

  /// - Parameter recursive: whether the files in folders are taken, however deep.
  public init(_ operands: [String] = [], recursive: Bool = false) {
    self.operands = operands
    self.recursive = recursive
  }

  /// Whether more than one input may follow.
  public var several: Bool { recursive || operands.count > 1 || !lists.isEmpty }
}
