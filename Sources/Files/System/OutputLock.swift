// SPDX-License-Identifier: MIT

internal import Glibc

/// Keeps other processes from putting their output under the same name at the same time. It ends with the process,
/// whatever ends that, and nothing is left of it; what a killed process left is taken over.
final class OutputLock {
  private let path: String
  private let descriptor: Int32

  /// Waits until no other process has it. A file system without locks gives none, and the job goes on without.
  init(_ output: String) {
    path = "\(folder(of: output))/.\(output.lastName.prefix(40)).apus-lock"
    var held: Int32 = -1
    while held < 0 {
      let opened = FileSystem.open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK)
      guard opened >= 0 else { break }
      var status = stat()
      // Another user could keep this one waiting.
      guard unsafe fstat(opened, &status) == 0, FileSystem.isOwn(status) else {
        close(opened)
        break
      }
      while flock(opened, LOCK_EX) != 0, errno == EINTR {}
      // The one before may have removed it meanwhile.
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
    // What is not empty is someone else's file of that name.
    if unsafe fstat(descriptor, &status) == 0, status.st_size == 0 { removeFile(path) }
    close(descriptor)
  }
}
