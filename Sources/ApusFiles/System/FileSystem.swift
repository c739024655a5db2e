// SPDX-License-Identifier: MIT

internal import ApusBytes
package import Glibc

extension StringProtocol {
  /// The name that the text represents (`FileName`), in the form for system calls. No name contains a zero byte, so a
  /// text with one is passed as the empty name, which no file has.
  var systemName: [CChar] {
    let bytes = FileName.bytes(of: self)
    return (bytes.contains(0) ? [] : bytes.map { CChar(bitPattern: $0) }) + [0]
  }
}

extension String {
  /// Creates the text for a name that is terminated by a zero byte.
  @unsafe init(systemName name: UnsafePointer<CChar>) {
    let bytes = unsafe UnsafeBufferPointer(start: name, count: strlen(name))
    self = unsafe FileName.text(of: bytes.map { UInt8(bitPattern: $0) })
  }
}

/// The system calls that take a path, for use everywhere: passing a Swift `String` to the C functions would open the
/// wrong file if its name is not UTF-8.
package enum FileSystem {
  /// Opens a file, with a descriptor that is closed when the process executes another program.
  ///
  /// - Returns: the descriptor, or -1 with the reason in `errno`.
  package static func open(_ path: String, _ flags: Int32, mode: mode_t = 0o666) -> Int32 {
    unsafe Glibc.open(path.systemName, flags | O_CLOEXEC, mode)
  }

  /// Opens a file in an open folder.
  ///
  /// - Returns: the descriptor, or -1 with the reason in `errno`.
  static func open(_ name: String, _ flags: Int32, in folder: Int32) -> Int32 {
    unsafe openat(folder, name.systemName, flags | O_CLOEXEC)
  }

  /// Returns the status of a file or, if `followsLinks` is `false`, of the link itself; `nil` with the reason in
  /// `errno`.
  package static func status(_ path: String, followsLinks: Bool = true) -> stat? {
    var status = stat()
    let name = path.systemName
    let result = unsafe followsLinks ? stat(name, &status) : lstat(name, &status)
    return result == 0 ? status : nil
  }

  /// Returns the status of an open file; `nil` if its name now belongs to another file, or to none.
  static func status(of descriptor: Int32, named path: String) -> stat? {
    var opened = stat()
    guard unsafe fstat(descriptor, &opened) == 0, let there = status(path, followsLinks: false),
      opened.st_ino == there.st_ino, opened.st_dev == there.st_dev
    else { return nil }
    return opened
  }

  /// Opens a hidden file of an earlier run that determines the actions of this one. It must be one that only this user
  /// can have written, so that no other user decides what happens to the files next to it.
  ///
  /// - Returns: the descriptor, or -1 with the reason in `errno`: `EPERM` for a file that others can have written.
  static func openTrusted(_ path: String, _ flags: Int32) -> Int32 {
    let descriptor = open(path, flags | O_NOFOLLOW | O_NONBLOCK)
    var status = stat()
    guard descriptor >= 0, unsafe fstat(descriptor, &status) == 0 else { return descriptor }
    if isTrusted(status) { return descriptor }
    close(descriptor)
    errno = EPERM
    return -1
  }

  /// Opens a file that the user named and this run continues. It must not belong to another user or be a link.
  ///
  /// - Returns: the descriptor, or -1 with the reason in `errno`: `EPERM` for a file of another user.
  package static func openOwn(_ path: String, _ flags: Int32) -> Int32 {
    let entry = status(path, followsLinks: false)
    var opened = stat()
    guard entry.map({ [geteuid(), 0].contains($0.st_uid) }) ?? true else {
      errno = EPERM
      return -1
    }
    let descriptor = open(path, flags | O_NONBLOCK)
    guard descriptor >= 0, unsafe fstat(descriptor, &opened) == 0, !isOwn(opened) else {
      return descriptor
    }
    close(descriptor)
    errno = EPERM
    return -1
  }

  /// Returns whether this is a regular file with a single name that only this user can have written.
  static func isTrusted(_ status: stat) -> Bool {
    status.st_mode & S_IFMT == S_IFREG && status.st_nlink == 1 && status.st_uid == geteuid()
      && status.st_mode & (S_IWGRP | S_IWOTH) == 0
  }

  /// Returns whether this is a regular file with a single name that no other user has created. Others may be able to
  /// write to it, as to all files on some external drives.
  static func isOwn(_ status: stat) -> Bool {
    status.st_mode & S_IFMT == S_IFREG && status.st_nlink == 1
      && (status.st_uid == geteuid() || status.st_uid == 0)
  }

  /// Overwrites bytes of an open file completely; returns `false` with the reason in `errno` on failure.
  static func write(_ bytes: Span<UInt8>, to descriptor: Int32, at offset: Int) -> Bool {
    var written = 0
    while written < bytes.count {
      let step = unsafe bytes.withUnsafeBufferPointer { buffer in
        let rest = unsafe UnsafeRawBufferPointer(
          rebasing: UnsafeRawBufferPointer(buffer)[written...])
        return unsafe pwrite(descriptor, rest.baseAddress, rest.count, off_t(offset + written))
      }
      if step < 0, errno == EINTR { continue }
      guard step > 0 else { return false }
      written += step
    }
    return true
  }

  /// Returns the number of names (hard links) of a file, in all folders.
  package static func names(of path: String) -> Int {
    status(path).map { Int(clamping: $0.st_nlink) } ?? 1
  }

  /// Returns whether anything with that name exists. A broken link does not count.
  package static func exists(_ path: String) -> Bool { unsafe access(path.systemName, F_OK) == 0 }

  /// Returns the absolute path without links; `nil` with the reason in `errno`.
  package static func realPath(_ path: String) -> String? {
    guard let real = unsafe realpath(path.systemName, nil) else { return nil }
    defer { unsafe free(real) }
    return unsafe String(systemName: real)
  }

  /// Returns the folder of a file and, if the name is that of a link, the folder of its target.
  package static func folders(around path: String) -> Set<String> {
    Set([path, realPath(path)].compactMap { $0.map(folder(of:)) })
  }

  /// Returns the absolute path, including links, so that it is valid in any working folder.
  package static func absolutePath(_ path: String) -> String {
    guard path.utf8.first != UInt8(ascii: "/"), path != "-", let folder = unsafe getcwd(nil, 0)
    else { return path }
    defer { unsafe free(folder) }
    return unsafe String(systemName: folder) + "/" + path
  }

  /// Returns the files that match a shell pattern; `nil` if there are none.
  package static func matches(_ pattern: String) -> [String]? {
    var found = unsafe glob_t()
    defer { unsafe globfree(&found) }
    guard unsafe glob(pattern.systemName, 0, nil, &found) == 0 else { return nil }
    return unsafe (0..<Int(found.gl_pathc)).compactMap { index in
      unsafe found.gl_pathv[index].map { unsafe String(systemName: $0) }
    }
  }

  /// Removes a file.
  package static func remove(_ path: String) throws(FileError) {
    guard unsafe unlink(path.systemName) == 0 else { throw FileError("remove", path) }
  }

  /// Removes a folder if it is empty.
  package static func removeFolder(_ path: String) { unsafe rmdir(path.systemName) }

  /// The folder for temporary files: `TMPDIR`, or `/tmp` if that is not set or does not exist, as in a sandbox.
  package static var temporaryFolder: String {
    let folder = unsafe getenv("TMPDIR").map { unsafe String(systemName: $0) } ?? ""
    return FileWalk.isFolder(folder) ? folder : "/tmp"
  }

  /// Creates a folder with a new name in the folder for temporary files.
  package static func makeTemporaryFolder() throws(FileError) -> String {
    var template = (temporaryFolder + "/apus-XXXXXX").systemName
    guard unsafe mkdtemp(&template) != nil else {
      throw FileError("make", "a folder in \(temporaryFolder)")
    }
    return FileName.text(of: template.dropLast().map { UInt8(bitPattern: $0) })
  }

  /// Returns the first symbolic link in a path; `nil` if there is none.
  package static func link(in path: String) -> String? {
    for slash in path.utf8.indices + [path.utf8.endIndex] {
      let isEnd = slash == path.utf8.endIndex || path.utf8[slash] == UInt8(ascii: "/")
      guard isEnd, slash != path.startIndex else { continue }
      let part = String(path[..<slash])
      guard let status = Self.status(part, followsLinks: false) else { return nil }
      if status.st_mode & S_IFMT == S_IFLNK { return part }
    }
    return nil
  }
}
