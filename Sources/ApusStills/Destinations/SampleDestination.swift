// SPDX-License-Identifier: MIT

public import ApusBytes
internal import ApusMedia

/// Receives the samples of a picture, row by row from the top.
public protocol SampleReceiver: AnyObject, Sendable {
  /// Receives the layout, once and before any row.
  func begin(_ layout: SampleLayout) throws
  /// Receives the next complete rows in order; 16-bit samples are in native byte order.
  func write(rows: Span<UInt8>) throws
}

/// A destination for the samples of a picture, as a PNG of it would contain them. The options' format must be PNG.
public final class SampleDestination: PhotoOutput {
  let receiver: any SampleReceiver

  /// Creates a destination that passes samples on to a receiver, and keeps it alive.
  public init(_ receiver: any SampleReceiver) { self.receiver = receiver }

  /// Passes complete rows on to the receiver.
  public func write(_ bytes: Span<UInt8>) throws {
    if !bytes.isEmpty { try receiver.write(rows: bytes) }
  }

  /// Throws, because samples that were passed on cannot be changed.
  public func amend(_ bytes: Span<UInt8>, at offset: Int) throws {
    throw MediaError(.misuse, "samples that were handed on cannot be amended")
  }

  /// Throws, because samples that were passed on cannot be read again.
  public func written() throws -> any ByteSource {
    throw MediaError(.misuse, "samples that were handed on cannot be read again")
  }

  /// Returns `samples` as the name in the report.
  public func commit() throws -> String? { "samples" }
}
