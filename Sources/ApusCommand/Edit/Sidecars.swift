// SPDX-License-Identifier: MIT

import ApusBytes
import ApusFiles
import ApusMedia
import ApusMetadata

/// The files next to photos in which other programs keep facts about them.
final class Sidecars {
  /// The names in a folder.
  private struct Folder {
    let path: String
    let names: Set<String>
    /// The names of XMP files by their lowercase form.
    let packets: [String: String]

    init(_ path: String) throws(FileError) {
      self.path = path
      let all = try FileWalk.names(in: path)
      names = Set(all)
      let packets = all.map { ($0.lowercased(), $0) }.filter { $0.0.hasSuffix(".xmp") }
      self.packets = Dictionary(packets, uniquingKeysWith: { first, _ in first })
    }
  }

  /// The folder of the last photo, because photos of a folder follow one another.
  private var folder: Folder?

  /// Adds what the files next to a photo say, as far as it is not set otherwise.
  ///
  /// - Returns: the paths of the files.
  func add(for path: String, to edits: inout MetadataEdits) throws -> [String] {
    guard path != "-" else { return [] }
    let slash = path.lastIndex(of: "/")
    let prefix = slash.map { String(path[...$0]) } ?? ""
    let name = slash.map { String(path[path.index(after: $0)...]) } ?? path
    let folder = try self.folder(prefix.isEmpty ? "." : prefix)
    var found: [String] = []
    // `IMG_1.HEIC.xmp`, or else `IMG_1.xmp`.
    let packet = [name[...], name.withoutExtension].lazy.compactMap {
      folder.packets[$0.lowercased() + ".xmp"]
    }.first
    if let file = Self.file(packet, in: prefix) {
      let facts = try file.facts("a sidecar") { bytes throws(SyntaxError) in
        try XMPSidecar(bytes)
      }
      facts.add(to: &edits)
      found.append(file.path)
    }
    if let file = Self.file(TakeoutSidecar.name(for: name, in: folder.names), in: prefix) {
      let sidecar = try file.facts("a sidecar") { bytes throws(SyntaxError) in
        try TakeoutSidecar(bytes)
      }
      edits.fallback = sidecar.facts
      found.append(file.path)
    }
    return found
  }

  /// Returns a file that is no pipe, which might never end.
  private static func file(_ name: String?, in prefix: String) -> InputName? {
    guard let name, FileWalk.isFile(prefix + name) else { return nil }
    return InputName(path: prefix + name)
  }

  private func folder(_ path: String) throws(FileError) -> Folder {
    if let folder, folder.path == path { return folder }
    let folder = try Folder(path)
    self.folder = folder
    return folder
  }
}

extension InputName {
  /// Returns the facts in a file.
  ///
  /// - Parameters:
  ///   - kind: what the file is, with its article, as a message says it.
  ///   - mebibytes: the size that it may have.
  func facts<Facts>(
    _ kind: String, mebibytes: Int = 1, _ read: ([UInt8]) throws(SyntaxError) -> Facts
  ) throws -> Facts {
    let bytes = try smallFile(kind, mebibytes: mebibytes)
    do throws(SyntaxError) { return try read(bytes) } catch {
      throw MediaError(.invalid, of: .part(path), error.message)
    }
  }
}
