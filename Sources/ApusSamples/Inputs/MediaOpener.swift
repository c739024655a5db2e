// SPDX-License-Identifier: MIT

public import ApusBytes
public import ApusMedia

/// Opens a family of inputs that this room does not read itself.
public protocol MediaOpener: Sendable {
  /// Opens an input; returns `nil` when it belongs to another family.
  func open(_ source: any ByteSource, of kind: FileKind, options: OpeningOptions)
    throws -> OpenedMedia?

  /// Opens a pipe, or a file that still grows; returns `nil` when it belongs to another family, or must be complete.
  ///
  /// - Parameters:
  ///   - pull: waits for the next bytes and returns them; returns `nil` at the end.
  ///   - first: the bytes that were read already.
  func open(
    growing pull: @escaping @Sendable () throws -> [UInt8]?, after first: [UInt8],
    of kind: FileKind, options: OpeningOptions
  ) throws -> OpenedMedia?
}

extension MediaOpener {
  public func open(
    growing pull: @escaping @Sendable () throws -> [UInt8]?, after first: [UInt8],
    of kind: FileKind, options: OpeningOptions
  ) throws -> OpenedMedia? { nil }
}
