// SPDX-License-Identifier: MIT

public import Bytes
internal import Media

/// Takes the samples of a picture, row by row from the top.
public protocol SampleReceiver: AnyObject, Sendable {
  /// Comes once, before any row.
  func begin(_ layout: SampleLayout) throws
  /// Whole rows, the next ones in order; samples of 16 bits are in the machine's order.
  func write(rows: Span<UInt8>) throws
}

/// A destination for the samples of a picture: those that a PNG of it would hold. It goes with options whose format is
/// PNG.
public final class SampleDestination: PhotoOutput {
  let receiver: any SampleReceiver

  public init(_ receiver: any SampleReceiver) { self.receiver = receiver }

  public func write(_ bytes: Span<UInt8>) throws {
    if !bytes.isEmpty { try receiver.write(rows: bytes) }
  }

  public func amend(_ bytes: Span<UInt8>, at offset: Int) throws {
    throw MediaError(.misuse, "samples that were handed on cannot be amended")
  }

  public func written() throws -> any ByteSource {
    throw MediaError(.misuse, "samples that were handed on cannot be read again")
  }

  public func commit() throws -> String? { "samples" }
}
