// SPDX-License-Identifier: MIT

/// Something that waits for a descriptor.
protocol Watching: AnyObject {
  func became(_ readiness: Readiness)
}

/// A closure that waits for a descriptor.
final class ClosureWatcher: Watching {
  private let body: () -> Void

  init(_ body: @escaping () -> Void) { self.body = body }

  func became(_ readiness: Readiness) { body() }
}
