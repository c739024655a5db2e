// SPDX-License-Identifier: MIT

public import Glibc

/// Which file a path leads to, links followed, and in which state.
public struct FileIdentity: Sendable {
  public let device: UInt64
  public let node: UInt64
  public let size: Int
  public let times: FileTimes
  public let isRegular: Bool

  /// Returns `nil` where there is no file.
  public init?(_ path: String) {
    guard let status = FileSystem.status(path) else { return nil }
    self.init(status)
  }

  /// Reads the identity of a file that is open.
  init?(_ descriptor: Int32) {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  /// The file that standard output leads to.
  public static var standardOutput: FileIdentity? { FileIdentity(STDOUT_FILENO) }

  private init(_ status: stat) {
    device = UInt64(status.st_dev)
    node = UInt64(status.st_ino)
    size = Int(status.st_size)
    times = FileTimes(access: status.st_atim, modification: status.st_mtim)
    isRegular = status.st_mode & S_IFMT == S_IFREG
  }

  /// Whether there is anything of that name, a link that leads nowhere included.
  public static func exists(_ path: String) -> Bool { kind(of: path) != 0 }

  public func isSameFile(as other: FileIdentity) -> Bool {
    device == other.device && node == other.node
  }

  /// Whether a path is that of a regular file which no other user has put there: itself, and not through a link, one
  /// of a single name that belongs to this user or to the superuser.
  public static func isOwn(_ path: String) -> Bool {
    FileSystem.status(path, followsLinks: false).map(FileSystem.isOwn) ?? false
  }

  /// Whether the file has not been written to since the other look at it.
  public func isUnchanged(since other: FileIdentity) -> Bool {
    isSameFile(as: other) && size == other.size
      && times.modificationNanoseconds == other.times.modificationNanoseconds
  }
}

extension FileIdentity {
  /// Returns the path at which this file is found: `path`, or `path` with the number that the file may have been given.
  /// `nil` where it has none of these.
  public func name(near path: String) -> String? {
    for number in 0..<10_000 {
      let name = number == 0 ? path : numbered(path, number)
      guard let found = FileIdentity(name) else { return nil }
      if found.isUnchanged(since: self) { return name }
    }
    return nil
  }

  /// The numbers that tell a file and its state from others, for another process.
  public var numbers: [UInt64] {
    [
      device, node, UInt64(bitPattern: Int64(size)),
      UInt64(bitPattern: Int64(times.modification.tv_sec)),
      UInt64(bitPattern: Int64(times.modification.tv_nsec)),
    ]
  }

  /// - Parameter numbers: as another process had them. When it was read last is not among them.
  public init?(numbers: [UInt64]) {
    guard numbers.count == 5 else { return nil }
    (device, node) = (numbers[0], numbers[1])
    size = Int(Int64(bitPattern: numbers[2]))
    let modification = timespec(
      tv_sec: Int(Int64(bitPattern: numbers[3])), tv_nsec: Int(Int64(bitPattern: numbers[4])))
    times = FileTimes(access: modification, modification: modification)
    isRegular = true
  }
}

/// When a file was read and written last.
public struct FileTimes: Sendable {
  public var access: timespec
  public var modification: timespec

  init(access: timespec, modification: timespec) {
    (self.access, self.modification) = (access, modification)
  }

  /// A file that was read when it was written.
  public init(modification: timespec) {
    self.init(access: modification, modification: modification)
  }

  /// Gives a file these times. Returns whether its file system lets them be set.
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

  /// The time of the last change in nanoseconds since 1970. Times that no 64 bits hold wrap, which still tells one from
  /// the other.
  public var modificationNanoseconds: Int {
    modification.tv_sec &* 1_000_000_000 &+ modification.tv_nsec
  }
}
