// SPDX-License-Identifier: MIT

import ApusBytes
import ApusFiles
import ApusMedia
import ApusMetadata

/// The files next to photos in which other programs keep facts about them.
final class Sidecars {
  /// The names in the folder of the last photo, because photos of a folder follow one another.
  private var folder: (path: String, names: [String])?

  /// Adds what the files next to a photo say, as far as it is not set otherwise.
  ///
  /// - Returns: the paths of the files.
  func add(for path: String, to edits: inout MetadataEdits) throws -> [String] {
    guard path != "-" else { return [] }
    let slash = path.lastIndex(of: "/")
    let prefix = slash.map { String(path[...$0]) } ?? ""
    let name = slash.map { String(path[path.index(after: $0)...]) } ?? path
    let names = try self.names(in: prefix.isEmpty ? "." : prefix)
    var found: [String] = []
    if let sidecar = Self.packet(for: name, in: names) {
      let file = InputName(path: prefix + sidecar)
      let facts = try file.facts("a sidecar") { bytes throws(SyntaxError) in
        try XMPSidecar(bytes)
      }
      facts.add(to: &edits)
      found.append(file.path)
    }
    if let sidecar = TakeoutSidecar.name(for: name, in: names) {
      let file = InputName(path: prefix + sidecar)
      let facts = try file.facts("a sidecar") { bytes throws(SyntaxError) in
        try TakeoutSidecar(bytes)
      }
      edits.fallback = facts.facts
      found.append(file.path)
    }
    return found
  }

  private func names(in path: String) throws(FileError) -> [String] {
    if let folder, folder.path == path { return folder.names }
    let names = try FileWalk.names(in: path)
    folder = (path, names)
    return names
  }

  /// Returns `IMG_1.HEIC.xmp`, or else `IMG_1.xmp`.
  private static func packet(for name: String, in names: [String]) -> String? {
    for stem in [name[...], name.withoutExtension] {
      let wanted = stem.lowercased() + ".xmp"
      if let found = names.first(where: { $0.lowercased() == wanted }) { return found }
    }
    return nil
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
