// SPDX-License-Identifier: MIT

/// As much of Swift's module of this name as the portable rooms use. Swift's own cannot be loaded where the C library is
/// hidden; rooms that compile with this one use nothing of that library themselves.
public struct Mutex<Value: ~Copyable>: ~Copyable {
  public init(_ value: consuming sending Value) {}

  public borrowing func withLock<Result: ~Copyable, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    fatalError("this is only compiled")
  }
}

extension Mutex: @unchecked Sendable where Value: ~Copyable {}

public struct AtomicUpdateOrdering: Sendable {
  public static let relaxed = AtomicUpdateOrdering()
}

public struct Atomic<Value>: ~Copyable {
  public init(_ value: consuming Value) {}

  public borrowing func load(ordering: AtomicUpdateOrdering) -> Value {
    fatalError("this is only compiled")
  }

  public borrowing func add(_ value: Value, ordering: AtomicUpdateOrdering) {}
}

extension Atomic: @unchecked Sendable {}
