// SPDX-License-Identifier: MIT

public import ApusBytes
internal import Synchronization

/// An input that counts what is read from it.
public final class CountedSource: ByteSource {
  private let inner: any ByteSource
  private let total = Atomic<Int>(0)
  private let calls = Atomic<Int>(0)

  public init(_ inner: any ByteSource) { self.inner = inner }

  public var count: Int { inner.count }
  public var resident: [UInt8]? { nil }
  /// How many bytes were read, each as often as it was.
  public var readBytes: Int { total.load(ordering: .relaxed) }
  /// How many times something was read.
  public var readings: Int { calls.load(ordering: .relaxed) }

  public func read(_ range: Range<Int>, into output: inout OutputSpan<UInt8>) throws(SyntaxError) {
    total.add(range.count, ordering: .relaxed)
    calls.add(1, ordering: .relaxed)
    try inner.read(range, into: &output)
  }
}
