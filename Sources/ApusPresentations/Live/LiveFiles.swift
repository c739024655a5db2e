// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusFiles
internal import ApusMedia
internal import HLS

/// The files of a live presentation, each of which appears whole. A manifest names those that will be removed at some
/// time, so that a later process knows which files are ours.
final class LiveFiles: PresentationFiles {
  private let folder: String
  /// Set while no other process may write into the folder.
  private var manifest: GrowingManifest?
  /// The files that are being written and have no name yet.
  private var pending: [(name: String, file: MemoryFile)] = []

  init(_ folder: String) { self.folder = folder }

  var isOpen: Bool { manifest != nil }

  /// Keeps other processes from writing into the folder until `close`.
  func open() throws(FileError) {
    if manifest == nil { manifest = try GrowingManifest(of: folder, isOwn: Self.isOwn) }
  }

  func close() { manifest = nil }

  /// The names of the files that are ours, except playlists.
  var names: [String] { manifest?.names ?? [] }
  var memo: String? { manifest?.memo }

  func file(_ name: String) throws -> any PresentationFile {
    let file = MemoryFile()
    pending.append((name, file))
    return file
  }

  /// Writes the pending files. Parts are not flushed to the disk, because they are useless after a power cut.
  ///
  /// - Parameter memo: the facts that a later process needs.
  func commit(_ memo: String) throws {
    guard let manifest else { throw MediaError(.misuse, "the files are not open") }
    let outputs = try pending.map { name, file in
      let output = try self.output(name, file.sink.bytes)
      try output.map { try manifest.note(name, $0) }
      return (output, isAwaited: !SegmentedPart.isNamed(name))
    }
    manifest.remember(memo)
    try manifest.flush(isAwaited: outputs.contains(where: \.isAwaited))
    for (output, isAwaited) in outputs { _ = try output?.commit(isAwaited: isAwaited) }
    pending = []
  }

  func write(_ text: String, to name: String, isAwaited: Bool) throws(FileError) {
    _ = try output(name, Array(text.utf8))?.commit(isAwaited: isAwaited)
  }

  private func output(_ name: String, _ bytes: [UInt8]) throws(FileError) -> FileOutput? {
    let path = folder + name
    try OutputFolder.make(for: path)
    let output = try FileOutput(path, onExists: .replace)
    try output?.writer.write(bytes.span)
    return output
  }

  /// Discards the files that have no name yet.
  func discard() { pending = [] }

  func holds(_ name: String) -> Bool { FileSystem.exists(folder + name) }

  /// Removes a file that is ours; any other file is kept.
  func remove(_ name: String) throws(FileError) { try manifest?.remove(name) }

  // MARK: - Existing files

  /// Returns the bytes of a file of usual size; `nil` if there is none.
  func bytes(_ name: String) -> [UInt8]? {
    guard identity(name)?.isRegular == true, let file = try? FileSource(folder + name),
      file.count < 1 << 24
    else { return nil }
    return try? file.bytes(in: 0..<file.count)
  }

  func playlist(_ name: String) -> Playlist? { bytes(name).flatMap { try? Playlist(reading: $0) } }

  func identity(_ name: String) -> FileIdentity? { FileIdentity(folder + name) }

  /// Returns whether a name is one of a file that will be removed at some time: `video-1/17.m4s`, `audio-2/part-3.m4s`,
  /// `video-1/init-17.mp4`.
  static func isOwn(_ name: String) -> Bool {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, LiveLine.isNamed(parts[0]) else { return false }
    return number(of: parts[1]) != nil
  }

  /// Returns the number in the name of a segment, a part or a header.
  static func number(of name: some StringProtocol) -> Int? {
    for (start, end) in [("part-", ".m4s"), ("init-", ".mp4"), ("", ".m4s")] {
      guard name.hasPrefix(start), name.hasSuffix(end) else { continue }
      let digits = name.dropFirst(start.count).dropLast(end.count)
      guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { continue }
      return Int(digits).flatMap { $0 < LiveLine.mostNumber ? $0 : nil }
    }
    return nil
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
