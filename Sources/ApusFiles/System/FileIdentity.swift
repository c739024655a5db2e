// SPDX-License-Identifier: MIT

public import Glibc

/// The identity of the file at a path, with links resolved, and its state.
public struct FileIdentity: Sendable {
  /// The number of the device that holds the file.
  public let device: UInt64
  /// The inode number, unique on its device.
  public let node: UInt64
  /// The size in bytes.
  public let size: Int
  /// The times of the last access and modification when the identity was read.
  public let times: FileTimes
  /// Whether it is a regular file, not a folder, device or pipe.
  public let isRegular: Bool

  /// Reads the identity of a file; `nil` if there is none.
  public init?(_ path: String) {
    guard let status = FileSystem.status(path) else { return nil }
    self.init(status)
  }

  /// Reads the identity of an open file.
  init?(_ descriptor: Int32) {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  /// The identity of standard output.
  public static var standardOutput: FileIdentity? { FileIdentity(STDOUT_FILENO) }

  private init(_ status: stat) {
    device = UInt64(status.st_dev)
    node = UInt64(status.st_ino)
    size = Int(status.st_size)
    times = FileTimes(access: status.st_atim, modification: status.st_mtim)
    isRegular = status.st_mode & S_IFMT == S_IFREG
  }

  /// Returns whether anything with that name exists, including a broken link.
  public static func exists(_ path: String) -> Bool { kind(of: path) != 0 }

  /// Returns whether both are the same file, under whatever names; its contents may have changed in between.
  public func isSameFile(as other: FileIdentity) -> Bool {
    device == other.device && node == other.node
  }

  /// Returns whether a path is that of a regular file that no other user has put there: not a link, with a single name,
  /// and owned by this user or the superuser.
  public static func isOwn(_ path: String) -> Bool {
    FileSystem.status(path, followsLinks: false).map(FileSystem.isOwn) ?? false
  }

  /// Returns whether the file has not been written to since the other state was read.
  public func isUnchanged(since other: FileIdentity) -> Bool {
    isSameFile(as: other) && size == other.size
      && times.modificationNanoseconds == other.times.modificationNanoseconds
  }
}

extension FileIdentity {
  /// Returns the path at which this file is found: `path`, or `path` with the number that the file may have been given.
  /// `nil` if it is at neither.
  public func name(near path: String) -> String? {
    for number in 0..<10_000 {
      let name = number == 0 ? path : numbered(path, number)
      guard let found = FileIdentity(name) else { return nil }
      if found.isUnchanged(since: self) { return name }
    }
    return nil
  }
}

/// The numbers that identify a file and its state. They do not include the time of the last access.
extension FileIdentity: Codable {
  public func encode(to encoder: any Encoder) throws {
    let time = times.modification
    try [
      Int64(bitPattern: device), Int64(bitPattern: node), Int64(size), Int64(time.tv_sec),
      Int64(time.tv_nsec),
    ].encode(to: encoder)
  }

  public init(from decoder: any Decoder) throws {
    var numbers = try decoder.unkeyedContainer()
    device = UInt64(bitPattern: try numbers.decode(Int64.self))
    node = UInt64(bitPattern: try numbers.decode(Int64.self))
    size = try numbers.decode(Int.self)
    times = FileTimes(
      modification: timespec(
        tv_sec: try numbers.decode(Int.self), tv_nsec: try numbers.decode(Int.self)))
    isRegular = true
  }
}

/// The times of the last access and modification of a file.
public struct FileTimes: Sendable {
  /// The time of the last access.
  public var access: timespec
  /// The time of the last modification of the contents.
  public var modification: timespec

  init(access: timespec, modification: timespec) {
    (self.access, self.modification) = (access, modification)
  }

  /// Creates the times of a file that was read when it was written.
  public init(modification: timespec) {
    self.init(access: modification, modification: modification)
  }

  /// Sets these times on a file. Returns whether its file system supports it.
  public func give(to path: String) throws(FileError) -> Bool {
    let both = [access, modification]
    return try Self.isKept(unsafe utimensat(AT_FDCWD, path.systemName, both, 0), path)
  }

  func give(to descriptor: Int32, named path: String) throws(FileError) -> Bool {
    let both = [access, modification]
    return try Self.isKept(unsafe futimens(descriptor, both), path)
  }

  private static func isKept(_ status: Int32, _ path: String) throws(FileError) -> Bool {
    guard status != 0, !FileError.isRefusal(errno) else { return status == 0 }
    throw FileError("write", path)
  }

  /// The time of the last modification in nanoseconds since 1970. Times that exceed 64 bits wrap around, and still
  /// differ from each other.
  public var modificationNanoseconds: Int {
    modification.tv_sec &* 1_000_000_000 &+ modification.tv_nsec
  }
}
