// SPDX-License-Identifier: MIT

internal import Glibc
internal import Synchronization

/// Ends every wait for a pipe when a job is to be stopped: for bytes, or for the other end to be opened. A program that
/// handles signals enables it; until then, reads and writes behave as usual.
package final class PipeStop: Sendable {
  /// The stop of the whole process, for use by signal handlers.
  package static let shared = PipeStop()

  /// A pipe that becomes readable when waits are to end.
  private let ends = Mutex<(read: Int32, write: Int32)?>(nil)

  private init() {}

  package func arm() {
    ends.withLock { ends in
      guard ends == nil else { return }
      var made: [Int32] = [-1, -1]
      guard unsafe pipe(&made) == 0 else { return }
      for end in made { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      ends = (made[0], made[1])
    }
  }

  /// Ends all present and future waits.
  package func stop() {
    guard let ends = ends.withLock({ $0 }) else { return }
    var byte: UInt8 = 0
    _ = unsafe write(ends.write, &byte, 1)
  }

  var isArmed: Bool { ends.withLock { $0 != nil } }

  /// Waits until a descriptor is ready for reading or writing, up to a number of milliseconds; -1 for no limit.
  func wait(
    for descriptor: Int32, _ events: Int32, milliseconds: Int32 = -1, _ operation: String,
    _ name: String
  ) throws(FileError) {
    let stop = ends.withLock { $0?.read } ?? -1
    var waiting = [
      pollfd(fd: descriptor, events: Int16(events), revents: 0),
      pollfd(fd: stop, events: Int16(POLLIN), revents: 0),
    ]
    while unsafe poll(&waiting, 2, milliseconds) < 0, errno == EINTR {}
    guard waiting[1].revents == 0 else {
      throw FileError(operation, name, code: EINTR)
    }
  }
}

/// Opens a named pipe for reading, which waits for its first writer.
func openPipe(reading path: String) throws(FileError) -> Int32 {
  let descriptor = FileSystem.open(path, O_RDONLY | O_NONBLOCK)
  guard descriptor >= 0 else { throw FileError("open", path) }
  do throws(FileError) {
    // Until a writer arrives, a read would report that all writers are gone.
    try PipeStop.shared.wait(for: descriptor, POLLIN, "read", path)
  } catch {
    close(descriptor)
    throw error
  }
  return descriptor
}

/// Opens a file that is not regular for writing; a named pipe waits for its reader.
func openDirect(writing path: String) throws(FileError) -> Int32 {
  let flags = O_WRONLY
  guard kindBehind(path) == S_IFIFO, PipeStop.shared.isArmed else {
    let descriptor = FileSystem.open(path, flags)
    guard descriptor >= 0 else { throw FileError("write", path) }
    return descriptor
  }
  while true {
    let descriptor = FileSystem.open(path, flags | O_NONBLOCK)
    if descriptor >= 0 { return descriptor }
    guard errno == ENXIO || errno == EINTR else { throw FileError("write", path) }
    // Only another attempt shows whether a reader has arrived.
    try PipeStop.shared.wait(for: -1, 0, milliseconds: 20, "write", path)
  }
}

/// Opens standard output, without changing the owner's descriptor.
func openStandardOutput() -> Int32 {
  // A closed one was opened for reading only (`openStandardDescriptors`).
  let access = fcntl(STDOUT_FILENO, F_GETFL)
  guard access < 0 || access & O_ACCMODE != O_RDONLY else {
    errno = EBADF
    return -1
  }
  var status = stat()
  if PipeStop.shared.isArmed, unsafe fstat(STDOUT_FILENO, &status) == 0,
    status.st_mode & S_IFMT == S_IFIFO
  {
    let own = FileSystem.open("/proc/self/fd/1", O_WRONLY | O_NONBLOCK)
    if own >= 0 { return own }
  }
  return fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0)
}

/// Returns the kind of file at a path, following links; 0 if there is nothing.
func kindBehind(_ path: String) -> mode_t {
  var status = stat()
  return unsafe stat(path.systemName, &status) == 0 ? status.st_mode & S_IFMT : 0
}
