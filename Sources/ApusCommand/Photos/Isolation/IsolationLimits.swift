// SPDX-License-Identifier: MIT

import ApusBytes

/// Bounds on a process that decodes photos apart from the others.
struct IsolationLimits: NamedLimits, Hashable, Sendable {
  /// Processor time for one photo.
  var cpuSeconds = 300
  /// Time for one photo, however little of it the processor worked.
  var wallSeconds = 900
  /// Mebibytes of address space, libraries included.
  var addressMebibytes = 4096

  mutating func visit(_ body: (_ name: String, _ value: inout Int) -> Void) {
    body("cpu-seconds", &cpuSeconds)
    body("wall-seconds", &wallSeconds)
    body("address-mebibytes", &addressMebibytes)
  }
}
