// SPDX-License-Identifier: MIT

internal import Glibc

/// Opens those of the descriptors 0, 1 and 2 that are closed on `/dev/null`, so that no file opened later receives the
/// messages or the results of this process.
///
/// Standard input is opened for writing and the others for reading, so that reading from the one or writing to the
/// others still causes an error instead of losing data.
///
/// - Returns: whether all three are open.
package func openStandardDescriptors() -> Bool {
  for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
    guard fcntl(descriptor, F_GETFD) < 0, errno == EBADF else { continue }
    // The system uses the lowest free descriptor, which is this one.
    let opened = unsafe open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    guard opened == descriptor else { return false }
  }
  return true
}
