// SPDX-License-Identifier: MIT

/// Two inputs as one, the second after the first: for example, a segment of a movie after its header.
public final class AppendedSource: ByteSource {
  private let first: any ByteSource
  private let second: any ByteSource
  /// The sum of the sizes of both inputs, in bytes.
  public let count: Int

  /// Creates the input; throws if the sum of the sizes overflows.
  public init(_ first: any ByteSource, _ second: any ByteSource) throws(SyntaxError) {
    let (count, overflow) = first.count.addingReportingOverflow(second.count)
    guard !overflow else {
      throw SyntaxError(.limit, field: "input", detail: "has more than 2^63 bytes")
    }
    self.first = first
    self.second = second
    self.count = count
  }

  /// Always `nil`, because joining the inputs in memory would copy them.
  public var resident: [UInt8]? { nil }

  /// Appends bytes of one or both inputs.
  public func read(_ range: Range<Int>, into output: inout OutputSpan<UInt8>) throws(SyntaxError) {
    let border = first.count
    try Self.read(range.clamped(to: 0..<border), of: first, into: &output)
    let rest = range.clamped(to: border..<count)
    try Self.read(rest.lowerBound - border..<rest.upperBound - border, of: second, into: &output)
  }

  private static func read(
    _ range: Range<Int>, of source: any ByteSource, into output: inout OutputSpan<UInt8>
  ) throws(SyntaxError) {
    guard !range.isEmpty else { return }
    if let resident = source.resident {
      for byte in resident[range] { output.append(byte) }
    } else {
      try source.read(range, into: &output)
    }
  }
}
