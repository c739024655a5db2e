// SPDX-License-Identifier: MIT

public import Bytes
public import Files

/// The files of a presentation in the folder beside the playlist that names them.
public final class PresentationFolder: PresentationFiles {
  private let output: FolderOutput

  public init(_ output: FolderOutput) { self.output = output }

  public func file(_ name: String) throws(SyntaxError) -> any PresentationFile {
    do throws(FileError) {
      return WrittenFile(try output.file(name))
    } catch {
      throw SyntaxError(.io, field: "", offset: 0, detail: error.description)
    }
  }
}

/// A file whose end flushes it.
private final class WrittenFile: PresentationFile {
  private let file: FolderFile

  init(_ file: FolderFile) { self.file = file }

  var count: Int { file.writer.count }
  func append(_ byte: UInt8) throws(SyntaxError) { try file.writer.append(byte) }
  func append(_ bytes: Span<UInt8>) throws(SyntaxError) { try file.writer.append(bytes) }
  func append(_ extent: Extent) throws(SyntaxError) { try file.writer.append(extent) }
  func passOn() throws(SyntaxError) { try file.writer.passOn() }

  func replace(at offset: Int, with bytes: [UInt8]) throws(SyntaxError) {
    do throws(FileError) {
      try file.replace(at: offset, with: bytes)
    } catch {
      throw SyntaxError(.io, field: "", offset: offset, detail: error.description)
    }
  }
}
