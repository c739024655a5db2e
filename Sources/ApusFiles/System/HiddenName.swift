// SPDX-License-Identifier: MIT

internal import Glibc

/// Hidden names for incomplete files: `.photo.jpg.apus-0`.
///
/// The process that writes such a file holds a lock on it. So an unlocked file was left by a killed process, and is
/// removed when the next output of that name begins.
enum HiddenName {
  static let most = 1000

  static func path(for path: String, _ number: Int) -> String {
    "\(folder(of: path))/.\(path.lastName.prefix(40)).apus-\(number)"
  }

  /// Creates a locked file with the first unused name; on failure the descriptor is negative, with the reason in
  /// `errno`.
  static func create(for path: String) -> (descriptor: Int32, name: String) {
    var name = self.path(for: path, 0)
    for number in 0..<most {
      name = self.path(for: path, number)
      for _ in 0..<2 {
        let descriptor = FileSystem.open(name, O_RDWR | O_CREAT | O_EXCL)
        guard descriptor >= 0 else {
          guard errno == EEXIST else { return (-1, name) }
          guard remove(name) else { break }
          continue
        }
        flock(descriptor, LOCK_EX)
        if FileSystem.status(of: descriptor, named: name) != nil { return (descriptor, name) }
        close(descriptor)
      }
    }
    errno = EEXIST
    return (-1, name)
  }

  /// Removes what killed processes have left of an output.
  static func removeLeft(for path: String) {
    var number = 0
    while number < most, remove(self.path(for: path, number)) { number += 1 }
  }

  /// Removes a file that no living process writes; returns whether it was removed.
  static func remove(_ name: String) -> Bool {
    let descriptor = FileSystem.open(name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_nlink == 1, status.st_uid == geteuid(), flock(descriptor, LOCK_EX | LOCK_NB) == 0,
      FileSystem.status(of: descriptor, named: name) != nil
    else { return false }
    return unsafe unlink(name.systemName) == 0
  }
}
