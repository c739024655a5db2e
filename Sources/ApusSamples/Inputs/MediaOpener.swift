// SPDX-License-Identifier: MIT

public import ApusBytes
public import ApusMedia

/// Opens a family of inputs that this room does not read itself.
public protocol MediaOpener: Sendable {
  /// Opens an input; returns `nil` when it belongs to another family.
  func open(_ source: any ByteSource, of kind: FileKind, options: OpeningOptions)
    throws -> OpenedMedia?
}
