// SPDX-License-Identifier: MIT

public import Bytes
internal import Files
internal import Glibc
internal import Media
public import Synchronization

/// A picture that is kept in a nameless file until it is whole.
///
/// May cross threads because the engine makes one call at a time.
public final class SpooledDestination: PhotoOutput {
  /// What is done with the whole picture.
  public enum Purpose: Sendable {
    /// It goes to standard output (`-`) or another pipe, whose reader so never gets the half of one.
    case pipe
    /// It is compared with the file that is there. Nothing is written, and other bytes are an error.
    case comparison
  }

  /// Whether standard output is an empty file that is read only after this process has reported success, so that a picture goes
  /// there as it is made.
  public static let isStandardOutputAwaited = Atomic(false)

  private let path: String
  /// Whether the file is standard output itself.
  private let isInPlace: Bool
  private let isCommitted = Atomic(false)
  private let purpose: Purpose
  private let spool: SpoolSource

  public init(_ path: String, for purpose: Purpose) throws {
    self.path = path
    self.purpose = purpose
    isInPlace =
      purpose == .pipe && path == "-" && Self.isStandardOutputAwaited.load(ordering: .relaxed)
    spool =
      try isInPlace
      ? SpoolSource(emptying: STDOUT_FILENO, named: "standard output") : SpoolSource()
  }

  deinit { if isInPlace, !isCommitted.load(ordering: .relaxed) { spool.empty() } }

  public func write(_ bytes: Span<UInt8>) throws {
    _ = try spool.append(bytes)
  }

  public func amend(_ bytes: Span<UInt8>, at offset: Int) throws {
    try spool.amend(bytes, at: offset)
  }

  public func written() -> any ByteSource { spool }

  public func commit() throws -> String? {
    switch purpose {
    case .pipe: try send()
    case .comparison: try compare()
    }
  }

  private func send() throws -> String {
    isCommitted.store(true, ordering: .relaxed)
    guard !isInPlace else { return path }
    let target: FileOutput?
    target = try FileOutput(path)
    guard let target else { return path }
    do throws(SyntaxError) {
      try target.writer.append(Extent(spool, 0..<spool.count))
    } catch {
      // It says already what cannot be written.
      throw MediaError(.io, error.detail)
    }
    return try target.commit()
  }

  private func compare() throws -> String {
    let file: FileSource
    file = try FileSource(path)
    guard try isSame(file) else {
      throw MediaError(.misuse, "\(path) is not an output of this photo")
    }
    return path
  }

  private func isSame(_ file: FileSource) throws -> Bool {
    guard file.count == spool.count else { return false }
    do throws(SyntaxError) {
      for start in stride(from: 0, to: file.count, by: 1 << 18) {
        let range = start..<min(start + 1 << 18, file.count)
        guard try file.bytes(in: range) == spool.bytes(in: range) else { return false }
      }
    } catch {
      throw MediaError(.io, "\(path) cannot be read: \(error.message)")
    }
    return true
  }
}
