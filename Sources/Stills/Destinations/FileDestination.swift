// SPDX-License-Identifier: MIT

public import Bytes
public import Files
internal import Media

/// A picture that becomes a file, whole or not at all, with the times of the photo that it was made from.
///
/// May cross threads because the engine makes one call at a time.
public final class FileDestination: PhotoOutput, @unchecked Sendable {
  /// Called with the file when it is whole, before it gets its name.
  public var willCommit: (@Sendable (FileIdentity) -> Void)?
  /// Called where another process has written the file meanwhile, which stays.
  public var didYield: (@Sendable () -> Void)?
  private let output: FileOutput
  /// The times that the file gets; the present where it is `nil`. At first those of what it is made from.
  public var times: FileTimes?
  /// What people say of the photo outside of it, which the file gets, too.
  public var attributes: FileAttributes?
  private let path: String
  private let onExists: OnExists

  public var warnings: [String] { output.keepsTimes ? [] : [Self.lostTimes(path)] }

  static func lostTimes(_ path: String) -> String {
    "\(path) does not have the times of its source: the file system refuses to set them"
  }

  /// Begins a file; `nil` where there is one already and that one stays.
  ///
  /// - Parameter input: what the picture is made from, where that is a file: it is never overwritten.
  public init?(_ path: String, from input: FileIdentity?, onExists: OnExists = .skip)
    throws
  {
    if let input, onExists == .replace, let existing = FileIdentity(path),
      existing.isSameFile(as: input)
    {
      throw MediaError(.misuse, "\(path) is the photo itself, which is never overwritten")
    }
    guard let output = try FileOutput(path, onExists: onExists) else { return nil }
    self.output = output
    self.path = path
    self.onExists = onExists
    times = input.flatMap { $0.isRegular ? $0.times : nil }
  }

  /// Lets the group and others do no more with the file than with the one that it is made from.
  public func limitAccess(like origin: String) { output.limitAccess(like: origin) }

  public func write(_ bytes: Span<UInt8>) throws {
    try output.writer.write(bytes)
  }

  public func amend(_ bytes: Span<UInt8>, at offset: Int) throws {
    try output.writer.amend(bytes, at: offset)
  }

  public func written() throws -> any ByteSource {
    return try output.written()
  }

  public func commit() throws -> String? {
    if let attributes { output.set(attributes) }
    if let times { try output.set(times) }
    output.willName = willCommit
    do throws(FileError) {
      let name = try output.commit()
      // The file that a link leads to is known by the name that was asked for.
      return onExists == .replace ? path : name
    } catch {
      guard onExists == .skip, error.isNameTaken else { throw error }
      didYield?()
      return nil
    }
  }
}
