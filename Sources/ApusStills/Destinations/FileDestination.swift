// SPDX-License-Identifier: MIT

public import ApusBytes
public import ApusFiles
internal import ApusMedia

/// A picture written to a file, completely or not at all, with the times of the photo that it was made from.
///
/// It may cross threads because the engine makes only one call at a time.
public final class FileDestination: PhotoOutput, @unchecked Sendable {
  /// Called with the complete file, before it gets its name.
  public var willCommit: (@Sendable (FileIdentity) -> Void)?
  /// The path of the file that exists already and is kept; `nil` if a new one is written.
  public private(set) var existing: String?
  /// The file being written; `nil` if one exists and is kept.
  private let output: FileOutput?
  /// The times of the file, initially those of its source; the current time if `nil`.
  public var times: FileTimes?
  /// The attributes that users gave to the photo's file, such as tags, which the output also gets.
  public var attributes: FileAttributes?
  private let path: String
  private let onExists: OnExists

  /// A warning if the file system refused to set the times of the file; empty until the commit.
  public var warnings: [String] { output?.keepsTimes != false ? [] : [Self.lostTimes(path)] }

  static func lostTimes(_ path: String) -> String {
    "\(path) does not have the times of its source: the file system refuses to set them"
  }

  /// Creates a file, unless one exists and is to be kept.
  ///
  /// - Parameter input: the source of the picture, if that is a file, which is never overwritten.
  public init(_ path: String, from input: FileIdentity?, onExists: OnExists = .skip)
    throws
  {
    if let input, onExists == .replace, let existing = FileIdentity(path),
      existing.isSameFile(as: input)
    {
      throw MediaError(.misuse, "\(path) is the photo itself, which is never overwritten")
    }
    output = try FileOutput(path, onExists: onExists)
    if output == nil { existing = path }
    self.path = path
    self.onExists = onExists
    times = input.flatMap { $0.isRegular ? $0.times : nil }
  }

  /// Creates the destination for a file that exists and is kept.
  init(keeping path: String) {
    output = nil
    (self.path, onExists, existing) = (path, .skip, path)
  }

  /// Grants the group and others no more access than to the source file.
  public func limitAccess(like origin: String) { output?.limitAccess(like: origin) }

  /// Appends bytes to the file; does nothing if an existing file is kept.
  public func write(_ bytes: Span<UInt8>) throws {
    try output?.writer.write(bytes)
  }

  /// Overwrites bytes of the file that were written before; does nothing if an existing file is kept.
  public func amend(_ bytes: Span<UInt8>, at offset: Int) throws {
    try output?.writer.amend(bytes, at: offset)
  }

  /// Returns the contents of the file so far; empty if an existing file is kept.
  public func written() throws -> any ByteSource {
    try output?.written() ?? MemorySource([])
  }

  /// Sets the attributes and times of the file and gives it its name.
  ///
  /// - Returns: the path; `nil` if an existing file is kept.
  public func commit() throws -> String? {
    guard let output else { return nil }
    if let attributes { output.set(attributes) }
    if let times { try output.set(times) }
    output.willName = willCommit
    do throws(FileError) {
      let name = try output.commit()
      // If the path is a link, the file is reported under the name that was requested.
      return onExists == .replace ? path : name
    } catch {
      guard onExists == .skip, error.isNameTaken else { throw error }
      existing = path
      return nil
    }
  }
}
