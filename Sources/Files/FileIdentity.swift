// SPDX-License-Identifier: MIT

public import Glibc

/// Which file stands behind a path, links followed, and in which state.
public struct FileIdentity: Sendable {
  public let device: UInt64
  public let node: UInt64
  public let size: Int
  public let times: FileTimes
  public let isRegular: Bool

  /// `nil` where there is no file.
  public init?(_ path: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    device = UInt64(status.st_dev)
    node = UInt64(status.st_ino)
    size = Int(status.st_size)
    times = FileTimes(access: status.st_atim, modification: status.st_mtim)
    isRegular = status.st_mode & S_IFMT == S_IFREG
  }

  public func isSameFile(as other: FileIdentity) -> Bool {
    device == other.device && node == other.node
  }

  /// Whether nobody has written to the file since the other look at it.
  public func isUnchanged(since other: FileIdentity) -> Bool {
    isSameFile(as: other) && size == other.size
      && times.modificationNanoseconds == other.times.modificationNanoseconds
  }
}

/// When a file was read and written last.
public struct FileTimes: Sendable {
  public var access: timespec
  public var modification: timespec

  /// Gives a file these times.
  public func give(to path: String) throws(FileError) {
    let both = [access, modification]
    guard unsafe utimensat(AT_FDCWD, path, both, 0) == 0 else { throw FileError("write", path) }
  }

  /// Since 1970. Times that no 64 bits hold wrap, which still tells one from the other.
  public var modificationNanoseconds: Int {
    modification.tv_sec &* 1_000_000_000 &+ modification.tv_nsec
  }
}
