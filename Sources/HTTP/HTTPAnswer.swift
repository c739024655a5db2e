// SPDX-License-Identifier: MIT

internal import Bytes
public import Files

/// What is sent back.
public struct HTTPAnswer: Sendable {
  public enum Body: Sendable {
    case bytes([UInt8])
    /// A file, sent by the system without a copy in memory.
    case file(SpoolSource)
    /// A stretch of a file that stays as it is.
    case stretch(FileStretch)

    /// Reads the body, a mebibyte at a time where it is a file.
    public func forEachPiece(_ use: ([UInt8]) throws -> Void) throws {
      switch self {
      case .bytes(let bytes): try use(bytes)
      case .file(let file): try Self.read(file, 0..<file.count, use)
      case .stretch(let stretch): try Self.read(stretch.file, stretch.range, use)
      }
    }

    private static func read(
      _ file: some ByteSource, _ range: Range<Int>, _ use: ([UInt8]) throws -> Void
    ) throws {
      for start in stride(from: range.lowerBound, to: range.upperBound, by: 1 << 20) {
        try use(try file.bytes(in: start..<min(start + 1 << 20, range.upperBound)))
      }
    }
  }

  public var status: Int
  public var headers: [(name: String, value: String)] = []
  public var body: Body

  public init(_ status: Int, _ type: String, _ body: Body) {
    self.status = status
    self.body = body
    headers = [("Content-Type", type)]
  }

  /// An answer without a body.
  public init(_ status: Int) {
    self.status = status
    body = .bytes([])
  }

  /// How many bytes the body has.
  public var count: Int {
    switch body {
    case .bytes(let bytes): bytes.count
    case .file(let file): file.count
    case .stretch(let stretch): stretch.range.count
    }
  }
}
