// SPDX-License-Identifier: MIT

internal import Glibc

/// A lock that keeps other processes from writing an output with the same name at the same time. It ends with the
/// process, however that ends, and leaves nothing behind; the lock file of a killed process is reused.
final class OutputLock {
  private let path: String
  private let descriptor: Int32

  /// Waits until no other process holds the lock. If the file system has no locks, the job continues without.
  init(_ output: String) {
    path = "\(folder(of: output))/.\(output.lastName.prefix(40)).apus-lock"
    var held: Int32 = -1
    while held < 0 {
      let opened = FileSystem.open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK)
      guard opened >= 0 else { break }
      var status = stat()
      let isKnown = unsafe fstat(opened, &status) == 0
      // The previous holder has just removed it.
      if isKnown, status.st_nlink == 0 {
        close(opened)
        continue
      }
      // Another user could block this process.
      guard isKnown, FileSystem.isOwn(status) else {
        close(opened)
        break
      }
      while flock(opened, LOCK_EX) != 0, errno == EINTR {}
      // The previous holder may have removed it in the meantime.
      guard FileSystem.status(of: opened, named: path) != nil else {
        close(opened)
        continue
      }
      held = opened
    }
    descriptor = held
  }

  deinit {
    guard descriptor >= 0 else { return }
    var status = stat()
    // A non-empty file is someone else's file with that name.
    if unsafe fstat(descriptor, &status) == 0, status.st_size == 0 { removeFile(path) }
    close(descriptor)
  }
}
