// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusFiles

/// The files of a presentation in the folder next to the playlist that names them.
final class PresentationFolder: PresentationFiles {
  private let output: FolderOutput

  /// Uses an output that has been begun for the playlist of the presentation.
  init(_ output: FolderOutput) { self.output = output }

  /// Returns whether a name is one that a presentation gives to its files: `video-1/init.mp4`, `audio-2/17.m4s` and the
  /// like.
  static func isOwn(_ name: String) -> Bool {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2 else { return false }
    func isNumber(_ text: Substring) -> Bool {
      !text.isEmpty && text.first != "0" && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }
    guard let kind = ["video-", "audio-", "text-"].first(where: { parts[0].hasPrefix($0) }),
      isNumber(parts[0].dropFirst(kind.utf8.count))
    else { return false }
    return ["index.m3u8", "iframes.m3u8", "init.mp4", "media.mp4"].contains(String(parts[1]))
      || [".m4s", ".vtt"].contains { parts[1].hasSuffix($0) } && isNumber(parts[1].dropLast(4))
  }

  /// Begins a file in the folder, with a name such as `video-1/init.mp4`.
  func file(_ name: String) throws -> any PresentationFile {
    WrittenFile(try output.file(name))
  }
}

/// A file that is flushed when it ends.
private final class WrittenFile: PresentationFile {
  private let file: FolderFile

  init(_ file: FolderFile) { self.file = file }

  var count: Int { file.writer.count }
  func append(_ byte: UInt8) throws(SyntaxError) { try file.writer.append(byte) }
  func append(_ bytes: Span<UInt8>) throws(SyntaxError) { try file.writer.append(bytes) }
  func append(_ extent: Extent) throws(SyntaxError) { try file.writer.append(extent) }
  func passOn() throws(SyntaxError) { try file.writer.passOn() }

  func replace(at offset: Int, with bytes: [UInt8]) throws {
    try file.replace(at: offset, with: bytes)
  }
}
