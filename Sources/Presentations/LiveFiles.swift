// SPDX-License-Identifier: MIT

internal import Bytes
internal import Files
internal import Media

/// The files of a live presentation, each of which appears whole.
final class LiveFiles: PresentationFiles {
  private let folder: String
  /// What is written and has no name yet.
  private var pending: [(name: String, file: MemoryFile)] = []

  init(_ folder: String) { self.folder = folder }

  func file(_ name: String) throws -> any PresentationFile {
    let file = MemoryFile()
    pending.append((name, file))
    return file
  }

  /// Writes what has come together. Parts are not waited for, as nobody wants them after a power cut.
  func commit() throws {
    for (name, file) in pending {
      try write(file.sink.bytes, to: name, isAwaited: !SegmentedPart.isNamed(name))
    }
    pending = []
  }

  func write(_ text: String, to name: String, isAwaited: Bool) throws {
    try write(Array(text.utf8), to: name, isAwaited: isAwaited)
  }

  private func write(_ bytes: [UInt8], to name: String, isAwaited: Bool) throws(FileError) {
    let path = folder + name
    OutputFolder.make(for: path)
    guard let output = try FileOutput(path, onExists: .replace) else { return }
    try output.writer.write(bytes.span)
    _ = try output.commit(isAwaited: isAwaited)
  }

  /// Forgets what has no name yet.
  func discard() { pending = [] }

  func holds(_ name: String) -> Bool { FileSystem.exists(folder + name) }

  func remove(_ name: String) throws(FileError) {
    guard FileSystem.exists(folder + name) else { return }
    try FileSystem.remove(folder + name)
  }
}

/// A segment before it has a name.
private final class MemoryFile: PresentationFile {
  var sink = ArraySink()

  var count: Int { sink.count }
  func append(_ byte: UInt8) throws(SyntaxError) { sink.append(byte) }
  func append(_ bytes: Span<UInt8>) throws(SyntaxError) { sink.append(bytes) }
  func append(_ extent: Extent) throws(SyntaxError) { try sink.append(extent) }
  func passOn() throws(SyntaxError) {}

  func replace(at offset: Int, with bytes: [UInt8]) throws {
    throw MediaError(.misuse, "a segment of a live presentation is written once")
  }
}
