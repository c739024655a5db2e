// SPDX-License-Identifier: MIT

import ApusFiles
import Glibc

/// The memory of this process, as the system counts it.
final class ProcessMemory: Sendable {
  private let descriptor = FileSystem.open("/proc/self/statm", O_RDONLY)

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// The resident bytes of this process; 0 if the system does not report them.
  var resident: Int {
    var text = [UInt8](repeating: 0, count: 128)
    let count = unsafe pread(descriptor, &text, text.count, 0)
    guard count > 0 else { return 0 }
    let fields = String(decoding: text[..<count], as: UTF8.self).split(separator: " ")
    guard fields.count > 1, let pages = Int(fields[1]) else { return 0 }
    return pages * sysconf(Int32(_SC_PAGESIZE))
  }
}
