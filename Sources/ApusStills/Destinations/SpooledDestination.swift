// SPDX-License-Identifier: MIT

package import ApusBytes
internal import ApusFiles
internal import ApusMedia
internal import Glibc
package import Synchronization

/// A picture that is kept in an unnamed file until it is complete.
///
/// It may cross threads because the engine makes only one call at a time.
package final class SpooledDestination: PhotoOutput {
  /// The use of the complete picture.
  package enum Purpose: Sendable {
    /// The picture is sent to standard output (`-`) or another pipe, so that its reader never gets an incomplete one.
    case pipe
    /// The picture is compared with the existing file. Nothing is written, and a difference is an error.
    case comparison
  }

  /// Whether standard output is an empty file that is read only after this process has reported success, so that a
  /// picture can be written to it directly.
  package static let isStandardOutputAwaited = Atomic(false)

  private let path: String
  /// Whether the picture is written to standard output directly.
  private let isInPlace: Bool
  private let isCommitted = Atomic(false)
  private let purpose: Purpose
  private let spool: SpoolSource

  package init(_ path: String, for purpose: Purpose) throws {
    self.path = path
    self.purpose = purpose
    isInPlace =
      purpose == .pipe && path == "-" && Self.isStandardOutputAwaited.load(ordering: .relaxed)
    spool =
      try isInPlace
      ? SpoolSource(emptying: STDOUT_FILENO, named: "standard output") : SpoolSource()
  }

  deinit { if isInPlace, !isCommitted.load(ordering: .relaxed) { spool.empty() } }

  package func write(_ bytes: Span<UInt8>) throws {
    _ = try spool.append(bytes)
  }

  package func amend(_ bytes: Span<UInt8>, at offset: Int) throws {
    try spool.amend(bytes, at: offset)
  }

  package func written() -> any ByteSource { spool }

  package func commit() throws -> String? {
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
      // The message already names the operation.
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
