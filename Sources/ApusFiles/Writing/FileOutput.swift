// SPDX-License-Identifier: MIT

internal import Glibc

/// A file that appears complete or not at all: it is written without a name in the target's folder (or under a hidden
/// name, if the file system has no unnamed files), and gets its name in `commit`. Nothing is left of it if it was not
/// committed.
///
/// A target that is not a regular file, such as a device, a named pipe or standard output (`-`), is written directly.
/// The folder must exist (`OutputFolder`).
public final class FileOutput {
  /// The writer for the file's bytes.
  public let writer: DescriptorWriter
  /// The path of the target. If it replaces a link, that of the file that the link leads to; with `OnExists.rename`,
  /// the requested one, while `commit` returns the actual one.
  public let path: String

  private let descriptor: Int32
  private let place: Place
  private let onExists: OnExists
  private var hiddenName: String?
  /// The copy, under a hidden name, of an unnamed file that cannot be given a name; -1 for all others.
  private var copy: Int32 = -1
  /// Whether the file system has kept the times set on the file.
  public private(set) var keepsTimes = true
  /// Called with the file before it gets its name.
  public var willName: ((FileIdentity) -> Void)?

  private enum Place {
    case nameless, hidden, direct
  }

  /// Creates a file; `nil` if one exists and the policy is to skip it.
  public convenience init?(_ path: String, onExists: OnExists = .skip) throws(FileError) {
    try self.init(path, onExists: onExists, tryingNameless: true)
  }

  init?(_ path: String, onExists: OnExists, tryingNameless: Bool) throws(FileError) {
    let old = path == "-" ? nil : FileSystem.status(path)
    let exists = old != nil
    let mode = old?.st_mode ?? 0
    let kind = mode & S_IFMT
    if exists, kind == S_IFDIR { throw FileError("write", path, code: EISDIR) }
    if exists, kind == S_IFREG, onExists == .skip { return nil }
    self.onExists = onExists

    if path == "-" || (exists && kind != S_IFREG) {
      self.path = path
      place = .direct
      descriptor = path == "-" ? openStandardOutput() : try openDirect(writing: path)
    } else {
      // A link stays a link: its target is replaced.
      self.path = exists && onExists == .replace ? FileSystem.realPath(path) ?? path : path
      try OutputFolder.require(for: self.path)
      HiddenName.removeLeft(for: self.path)
      let nameless =
        tryingNameless
        ? FileSystem.open(folder(of: self.path), namelessFile | O_RDWR) : -1
      if nameless >= 0, FileSystem.exists("/proc/self/fd") {
        place = .nameless
        descriptor = nameless
      } else {
        if nameless >= 0 { close(nameless) }
        place = .hidden
        let hidden = HiddenName.create(for: self.path)
        descriptor = hidden.descriptor
        if descriptor >= 0 { hiddenName = hidden.name }
      }
    }
    let code = descriptor < 0 ? errno : 0
    writer = DescriptorWriter(
      descriptor, name: path == "-" ? "standard output" : path, isAwaited: place != .direct)
    guard code == 0 else { throw FileError("write", writer.name, code: code) }
    if place != .direct, onExists == .replace, let old { keep(old) }
  }

  /// Gives the file the owner, permissions and attributes of the old one, as far as the system allows it.
  private func keep(_ old: stat) {
    fchown(descriptor, old.st_uid, old.st_gid)
    fchmod(descriptor, old.st_mode & 0o7777)
    FileAttributes(keptOf: path).give(to: descriptor)
  }

  deinit {
    if let hiddenName { removeFile(hiddenName) }
    for opened in [descriptor, copy] where opened >= 0 { close(opened) }
  }

  /// Returns the path that `OnExists.rename` would use now.
  public static func freeName(for path: String) -> String {
    var name = path
    for number in 1..<10_000 where FileSystem.exists(name) { name = numbered(path, number) }
    return name
  }

  /// Whether the target is not a regular file, so that written bytes cannot be taken back or read again.
  public var isDirect: Bool { place == .direct }

  /// Returns the bytes written so far, for reading.
  public func written() throws(FileError) -> FileSource {
    try writer.flush()
    return try FileSource(duplicating: descriptor, name: path)
  }

  /// Returns the identity of the file with all bytes written so far; `nil` if it is not a regular file.
  public func identity() throws(FileError) -> FileIdentity? {
    try writer.flush()
    return place == .direct ? nil : FileIdentity(descriptor)
  }

  /// Sets the times of the file after everything is written. If the file system refuses, `keepsTimes` becomes `false`.
  public func set(_ times: FileTimes) throws(FileError) {
    try writer.flush()
    guard place != .direct else { return }
    keepsTimes = try times.give(to: descriptor, named: path)
  }

  /// Removes permissions of the group and others that they do not have on the source file. A file that replaces another
  /// gets that one's permissions.
  public func limitAccess(like origin: String) {
    guard place != .direct, onExists != .replace || !FileSystem.exists(path),
      let origin = FileSystem.status(origin)
    else { return }
    var own = stat()
    guard unsafe fstat(descriptor, &own) == 0 else { return }
    fchmod(descriptor, own.st_mode & (0o7700 | origin.st_mode))
  }

  /// Sets extended attributes on the file, as far as its file system accepts them.
  public func set(_ attributes: FileAttributes) {
    if place != .direct { attributes.give(to: descriptor) }
  }

  /// Writes the buffered bytes, waits until they are on disk, and gives the file its name.
  ///
  /// - Parameter isAwaited: whether to wait for the disk. If not, the file may be empty after a power failure, which is
  ///   acceptable if it is not needed then.
  /// - Returns: the path of the file.
  @discardableResult
  public func commit(isAwaited: Bool = true) throws(FileError) -> String {
    try writer.flush()
    guard place != .direct else { return path }
    // The folder is not synchronized: after a power failure the file is complete or absent.
    guard !isAwaited || fsync(descriptor) == 0 else { throw FileError("write", path) }
    if let willName, let file = FileIdentity(descriptor) { willName(file) }
    if onExists == .replace {
      let name: String
      if let hiddenName { name = hiddenName } else { name = try named() }
      guard unsafe rename(name.systemName, path.systemName) == 0 else {
        throw FileError("replace", path)
      }
      hiddenName = nil
      flock(descriptor, LOCK_UN)
      return path
    }
    for number in 0..<10_000 {
      let name = number == 0 ? path : numbered(path, number)
      if try claim(name) { return name }
      if onExists == .skip { throw FileError("write", path, code: EEXIST) }
    }
    throw FileError("write", path, reason: "there are 10000 files of this name")
  }

  /// Gives an unnamed file a hidden name, from which it can replace another.
  private func named() throws(FileError) -> String {
    // The lock shows other processes that this one is alive.
    flock(descriptor, LOCK_EX | LOCK_NB)
    for number in 0..<HiddenName.most {
      let name = HiddenName.path(for: path, number)
      if link(to: name) {
        hiddenName = name
        return name
      }
      if try isCopied(after: errno), let hiddenName { return hiddenName }
      guard errno == EEXIST else { throw FileError("write", path) }
      if HiddenName.remove(name), link(to: name) {
        hiddenName = name
        return name
      }
    }
    throw FileError("write", path, reason: "there are \(HiddenName.most) unfinished files of it")
  }

  /// Gives the file a name if it is free; returns `false` if it is not.
  private func claim(_ name: String) throws(FileError) -> Bool {
    if link(to: name) {
      if let hiddenName { removeFile(hiddenName) }
      hiddenName = nil
      return true
    }
    let code = errno
    if code == EEXIST || FileSystem.exists(name) { return false }
    if try isCopied(after: code) { return try claim(name) }
    // A file system without hard links, such as that of a memory card.
    guard let hiddenName, FileError.isRefusal(code) else {
      throw FileError("write", name, code: code)
    }
    if !renameToFree(hiddenName, name) {
      if errno == EEXIST { return false }
      // Nor does it support renaming only to a free name in one step.
      guard errno == EINVAL || errno == ENOSYS,
        unsafe rename(hiddenName.systemName, name.systemName) == 0
      else { throw FileError("write", name) }
    }
    self.hiddenName = nil
    return true
  }

  /// Copies an unnamed file that cannot be linked to one with a hidden name.
  ///
  /// - Parameter code: the error of linking it.
  /// - Returns: `false` if the error has another cause, or the file has a name.
  private func isCopied(after code: Int32) throws(FileError) -> Bool {
    guard hiddenName == nil, FileError.isRefusal(code) else { return false }
    let hidden = HiddenName.create(for: path)
    guard hidden.descriptor >= 0 else { throw FileError("write", path) }
    (copy, hiddenName) = (hidden.descriptor, hidden.name)
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw FileError("write", path) }
    var offset: off_t = 0
    while offset < status.st_size {
      let sent = unsafe sendfile(copy, descriptor, &offset, Int(status.st_size - offset))
      guard sent > 0 || sent < 0 && errno == EINTR else { throw FileError("write", path) }
    }
    fchown(copy, status.st_uid, status.st_gid)
    fchmod(copy, status.st_mode & 0o7777)
    FileAttributes(keptOf: "/proc/self/fd/\(descriptor)").give(to: copy)
    let times = FileTimes(access: status.st_atim, modification: status.st_mtim)
    if keepsTimes { keepsTimes = try times.give(to: copy, named: path) }
    guard fsync(copy) == 0 else { throw FileError("write", path) }
    if let willName, let file = FileIdentity(copy) { willName(file) }
    return true
  }

  private func link(to name: String) -> Bool {
    if let hiddenName { return unsafe Glibc.link(hiddenName.systemName, name.systemName) == 0 }
    return unsafe linkat(
      AT_FDCWD, "/proc/self/fd/\(descriptor)", AT_FDCWD, name.systemName,
      Int32(AT_SYMLINK_FOLLOW)) == 0
  }
}

/// The constant `O_TMPFILE` of Linux, which the C library defines only for C programs.
private let namelessFile = O_DIRECTORY | 0o20_000_000

func folder(of path: String) -> String {
  guard let slash = path.lastSlash else { return "." }
  return slash == path.startIndex ? "/" : String(path[..<slash])
}

func numbered(_ path: String, _ number: Int) -> String {
  let stem = path.withoutExtension
  return "\(stem)-\(number)\(path[stem.endIndex...])"
}
