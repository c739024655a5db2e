// SPDX-License-Identifier: MIT

/// Bounds on a process that decodes photos apart from the others.
struct IsolationLimits: Hashable, Sendable {
  /// Processor time for one photo.
  var cpuSeconds = 300
  /// Time for one photo, however little of it the processor worked.
  var wallSeconds = 900
  /// Mebibytes of address space, libraries included.
  var addressMebibytes = 4096

  static var named: [(name: String, path: any WritableKeyPath<IsolationLimits, Int> & Sendable)] {
    [
      ("cpu-seconds", \.cpuSeconds), ("wall-seconds", \.wallSeconds),
      ("address-mebibytes", \.addressMebibytes),
    ]
  }
}
