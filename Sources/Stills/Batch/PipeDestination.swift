// SPDX-License-Identifier: MIT

public import Bytes
internal import Files
public import Media

/// A picture for standard output or another pipe: kept in a nameless file until it is whole, so that a reader
/// never gets the half of one.
///
/// May cross threads because the engine makes one call at a time.
public final class PipeDestination: PhotoOutput, @unchecked Sendable {
  private let path: String
  private let spool: SpoolSource

  /// - Parameter path: `-` for standard output.
  public init(_ path: String) throws(PictureError) {
    self.path = path
    do throws(FileError) { spool = try SpoolSource() } catch { throw PictureError(error) }
  }

  public func write(_ bytes: Span<UInt8>) throws(PictureError) {
    do throws(FileError) { _ = try spool.append(bytes) } catch { throw PictureError(error) }
  }

  public func amend(_ bytes: Span<UInt8>, at offset: Int) throws(PictureError) {
    do throws(FileError) { try spool.amend(bytes, at: offset) } catch { throw PictureError(error) }
  }

  public func written() -> any ByteSource { spool }

  public func commit() throws(PictureError) -> String {
    let target: FileOutput?
    do throws(FileError) { target = try FileOutput(path) } catch { throw PictureError(error) }
    guard let target else { return path }
    do throws(SyntaxError) {
      try target.writer.append(Extent(spool, 0..<spool.count))
    } catch {
      // It says already what cannot be written.
      throw PictureError(.io, error.detail)
    }
    do throws(FileError) { return try target.commit() } catch { throw PictureError(error) }
  }
}
