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

  /// The size of the input, which replacing bytes does not change.
  public var count: Int { base.count }
  /// Always `nil`, because the bytes in memory would be those before the replacement.
  public var resident: [UInt8]? { nil }

  /// Appends bytes, with the replacement where the range overlaps it.
  public func read(_ range: Range<Int>, into output: inout OutputSpan<UInt8>) throws(SyntaxError) {
    let patched = (start..<start + patch.count).clamped(to: range)
    guard !patched.isEmpty else { return try base.read(range, into: &output) }
    try base.read(range.lowerBound..<patched.lowerBound, into: &output)
    for offset in patched { output.append(patch[offset - start]) }
    try base.read(patched.upperBound..<range.upperBound, into: &output)
  }
}
