// SPDX-License-Identifier: MIT

internal import Glibc

/// Opens those of the descriptors 0, 1 and 2 that are closed on `/dev/null`, so that no file which is opened later gets
/// the messages or the results of this process.
///
/// Standard input is opened for writing and the others for reading, so that code which reads from the one or writes to the
/// others still gets an error: what was to go there would be lost.
///
/// - Returns: whether all three are open now.
public func openStandardDescriptors() -> Bool {
  for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
    guard fcntl(descriptor, F_GETFD) < 0, errno == EBADF else { continue }
    // The system takes the lowest descriptor that is free, which is this one.
    let opened = unsafe open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    guard opened == descriptor else { return false }
  }
  return true
}
