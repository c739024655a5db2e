// SPDX-License-Identifier: MIT

/// The files that a job reads, as named by the user: files, patterns, folders, and lists of names.
public struct InputList: Hashable, Sendable {
  /// The files, patterns that no shell has expanded, folders, and `-` for standard input.
  public var operands: [String]
  /// Whether folders are searched recursively.
  public var recursive: Bool
  /// Files that contain names, one per line.
  public var lists: [String] = []
  /// Whether names in lists end with NUL, even if there are none.
  public var isNullEnded = false
  /// Whether the job accepts folders.
  public var takesFolders = true

  /// - Parameter recursive: whether folders are searched recursively.
  public init(_ operands: [String] = [], recursive: Bool = false) {
    self.operands = operands
    self.recursive = recursive
  }

  /// Whether there may be more than one input.
  public var several: Bool { recursive || operands.count > 1 || !lists.isEmpty }
}
