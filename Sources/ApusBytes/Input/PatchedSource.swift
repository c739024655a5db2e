// SPDX-License-Identifier: MIT

/// An input with a few bytes replaced.
public final class PatchedSource: ByteSource {
  private let base: any ByteSource
  private let patch: [UInt8]
  private let start: Int

  /// Creates an input in which `patch` replaces the same number of bytes of `base`, beginning at `start`.
  public init(_ base: any ByteSource, _ patch: [UInt8], at start: Int) {
    self.base = base
    self.patch = patch
    self.start = start
  }

  public var count: Int { base.count }
  public var resident: [UInt8]? { nil }

  public func read(_ range: Range<Int>, into output: inout OutputSpan<UInt8>) throws(SyntaxError) {
    let patched = (start..<start + patch.count).clamped(to: range)
    guard !patched.isEmpty else { return try base.read(range, into: &output) }
    try base.read(range.lowerBound..<patched.lowerBound, into: &output)
    for offset in patched { output.append(patch[offset - start]) }
    try base.read(patched.upperBound..<range.upperBound, into: &output)
  }
}
