// SPDX-License-Identifier: MIT

internal import Glibc

/// A file that has its name from the first byte on, so that whatever ends the process leaves what was written. Its
/// folder is there (`OutputFolder`).
///
/// One that replaces another has a hidden name until `appear` is called: the other stays until there is something to
/// take its place.
public final class GrowingFile {
  /// The file's name, or that which it will have when it appears.
  public private(set) var path: String
  /// The writer that the bytes go to.
  public let writer: DescriptorWriter
  private let descriptor: Int32
  /// The name until it appears.
  private var hiddenName: String?
  /// How many bytes wait to be written; hundreds of streams may be recorded at a time.
  private static let gathered = 1 << 15

  /// Begins a file; `nil` when there is one and the policy is to skip it. What a process that was killed left beside it
  /// is removed.
  public init?(_ path: String, onExists: OnExists = .skip) throws(FileError) {
    try OutputFolder.require(for: path)
    if onExists == .replace, let status = FileSystem.status(path),
      status.st_mode & S_IFMT == S_IFREG
    {
      // A link stays a link: the file that it leads to is replaced.
      let path = FileSystem.realPath(path) ?? path
      HiddenName.removeLeft(for: path)
      let hidden = HiddenName.create(for: path)
      guard hidden.descriptor >= 0 else { throw FileError("write", path) }
      fchmod(hidden.descriptor, status.st_mode & 0o7777)
      hiddenName = hidden.name
      self.path = path
      descriptor = hidden.descriptor
      writer = DescriptorWriter(hidden.descriptor, name: path, capacity: Self.gathered)
      return
    }
    var opened: (descriptor: Int32, path: String)?
    let names = onExists == .rename ? 10_000 : 1
    for number in 0..<names where opened == nil {
      let name = number == 0 ? path : numbered(path, number)
      HiddenName.removeLeft(for: name)
      let result = FileSystem.open(name, O_RDWR | O_CREAT | O_EXCL)
      if result >= 0 {
        opened = (result, name)
      } else if errno != EEXIST {
        throw FileError("write", name)
      }
    }
    guard let opened else {
      switch onExists {
      case .skip: return nil
      case .replace: throw FileError("write", path, code: EEXIST)
      case .rename:
        throw FileError("write", path, reason: "there are 10000 files of this name")
      }
    }
    // A process that finds it later sees whether it is still being written.
    _ = flock(opened.descriptor, LOCK_EX | LOCK_NB)
    self.path = opened.path
    descriptor = opened.descriptor
    writer = DescriptorWriter(opened.descriptor, name: opened.path, capacity: Self.gathered)
  }

  /// Begins a file under a hidden name beside a path, whose place it may take later (`move`). What a process that was
  /// killed left there is removed.
  public init(unfinished path: String) throws(FileError) {
    try OutputFolder.require(for: path)
    HiddenName.removeLeft(for: path)
    let hidden = HiddenName.create(for: path)
    guard hidden.descriptor >= 0 else { throw FileError("write", path) }
    self.path = hidden.name
    descriptor = hidden.descriptor
    writer = DescriptorWriter(hidden.descriptor, name: hidden.name)
  }

  deinit { close(descriptor) }

  /// Whether it still has to take the place of another.
  public var isHidden: Bool { hiddenName != nil }

  /// Whether the system has none of its bytes.
  public var isEmpty: Bool {
    var status = stat()
    return unsafe fstat(descriptor, &status) == 0 && status.st_size == 0
  }

  /// Takes the place of the file that it replaces, if it does not have it yet.
  public func appear() throws(FileError) {
    guard let hiddenName else { return }
    guard unsafe rename(hiddenName.systemName, path.systemName) == 0 else {
      throw FileError("replace", path)
    }
    self.hiddenName = nil
  }

  /// What was written so far, to be read again.
  public func written() throws(FileError) -> FileSource {
    try writer.flush()
    return try FileSource(duplicating: descriptor, name: path)
  }

  /// Gives it another name, taking the place of what has it.
  public func move(to path: String) throws(FileError) {
    guard unsafe rename(self.path.systemName, path.systemName) == 0 else {
      throw FileError("replace", path)
    }
    self.path = path
  }

  /// Takes the file away, for it holds nothing worth keeping. One that was to be replaced stays.
  ///
  /// - Returns: why it could not be removed; `nil` where it is gone.
  @discardableResult
  public func remove() -> FileError? {
    let name = hiddenName ?? path
    guard unsafe unlink(name.systemName) != 0, errno != ENOENT else { return nil }
    return FileError("remove", name)
  }
}
