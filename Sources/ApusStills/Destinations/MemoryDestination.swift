// SPDX-License-Identifier: MIT

public import ApusBytes
internal import ApusMedia
internal import Synchronization

/// A picture that is kept in memory.
public final class MemoryDestination: PhotoOutput {
  /// The name of the output in the report.
  public let name: String
  private let gathered = Mutex<[UInt8]>([])

  /// - Parameter name: the name of the output in the report.
  public init(name: String = "memory") { self.name = name }

  /// The encoded picture; complete once the engine has reported it.
  public var bytes: [UInt8] { gathered.withLock { $0 } }

  /// Appends bytes to the picture in memory.
  public func write(_ bytes: Span<UInt8>) throws {
    gathered.withLock { gathered in
      unsafe bytes.withUnsafeBufferPointer { unsafe gathered.append(contentsOf: $0) }
    }
  }

  /// Overwrites bytes that were written before; throws if the range is not among them.
  public func amend(_ bytes: Span<UInt8>, at offset: Int) throws {
    try gathered.withLock { gathered throws in
      guard offset >= 0, offset <= gathered.count - bytes.count else {
        throw MediaError(.misuse, "bytes that were not written cannot be amended")
      }
      for index in bytes.indices { gathered[offset + index] = bytes[index] }
    }
  }

  /// Returns a copy of the bytes written so far.
  public func written() throws -> any ByteSource { MemorySource(bytes) }

  /// Returns the name of the output; nothing has to be completed.
  public func commit() throws -> String? { name }
}
