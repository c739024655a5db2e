// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import Glibc

/// A file and the folder with the files that it refers to, `clip.m3u8` and `clip/`, which appear complete or not at
/// all.
///
/// Until `commit` everything is in a hidden folder next to the file. Then the folder gets an unused name, and finally
/// the file, which replaces an existing one in one step, so that the file never refers to anything that does not exist.
/// Nothing is left without a commit; remains of a killed process are removed when the next one begins.
///
/// When a folder is replaced, only files that its manifest proves to be the written ones are removed
/// (`FolderManifest`), and never an input.
public final class FolderOutput {
  /// The path of the file that refers to the others: with `OnExists.rename` already the free one, and with links
  /// resolved if it replaces a file.
  public let path: String
  /// The result for the folder that the replaced file referred to.
  public enum Replaced: Hashable, Sendable {
    /// There was no such folder.
    case nothing
    case removed
    /// The folder, or some of its files, was kept, because nothing proves that this program wrote them.
    case kept
  }

  /// The result for the folder that the replaced file referred to; known after the commit.
  public private(set) var replaced = Replaced.nothing
  /// The name of the folder, without a number.
  private let stem: String

  private let list: FileOutput
  private let onExists: OnExists
  private let removal: FolderRemoval
  private let hidden: String
  private let manifestFile: Int32
  private var manifest: FolderManifest
  private var files: [String] = []
  private var folders: [String] = []
  private var isCommitted = false

  /// Begins the output; `nil` if the file exists and the policy is to skip it.
  ///
  /// - Parameters:
  ///   - inputs: the files that are never replaced or removed.
  ///   - isOwn: returns whether a name in the folder, such as `video-1/init.mp4`, is one that this kind of output uses.
  ///     Nothing else is ever removed.
  public init?(
    _ path: String, onExists: OnExists = .skip, inputs: InputFiles = InputFiles(),
    isOwn: @escaping (String) -> Bool
  ) throws(FileError) {
    var target = path
    var number = 0
    while onExists == .rename, number < 10_000, FileSystem.exists(target) {
      number += 1
      target = numbered(path, number)
    }
    try inputs.refuse(target, onExists: onExists)
    try OutputFolder.make(for: target)
    guard let list = try FileOutput(target, onExists: onExists) else { return nil }
    guard !list.isDirect else {
      throw FileError("write", path, reason: "the files that it names need a folder beside it")
    }
    self.list = list
    self.onExists = onExists
    self.path = list.path
    let outer = folder(of: list.path)
    let name = String(list.path.lastName)
    // The folder and its list cannot have one name.
    stem = name.pathExtension.isEmpty ? "media" : Self.plain(name.withoutExtension)
    removal = FolderRemoval(outer: outer, stem: stem, isOwn: isOwn, inputs: inputs)
    let prefix = "\(outer)/.\(stem.prefix(40)).apus-"
    let begun = try Self.begin(prefix, name)
    hidden = begun.folder
    manifestFile = begun.descriptor
    manifest = begun.manifest
    removeLeftovers(name)
  }

  deinit {
    if manifestFile >= 0 { close(manifestFile) }
    guard !isCommitted else { return }
    for file in files { removeFile(file) }
    for folder in folders.reversed() { FileSystem.removeFolder(folder) }
    removeFile("\(hidden)/\(FolderManifest.fileName)")
    FileSystem.removeFolder(hidden)
  }

  /// Creates the hidden folder with its manifest, which is locked as long as this process lives.
  private static func begin(_ prefix: String, _ list: String) throws(FileError) -> (
    folder: String, descriptor: Int32, manifest: FolderManifest
  ) {
    for _ in 0..<100 {
      let folder = prefix + String(UInt64.random(in: 0 ... .max), radix: 36)
      guard unsafe mkdir(folder.systemName, 0o777) == 0 else {
        if errno == EEXIST { continue }
        throw FileError("write", folder)
      }
      let path = "\(folder)/\(FolderManifest.fileName)"
      let descriptor = FileSystem.open(path, O_RDWR | O_CREAT | O_EXCL, mode: 0o644)
      guard descriptor >= 0 else {
        let code = errno
        FileSystem.removeFolder(folder)
        // Another process removed the empty folder as abandoned.
        if code == ENOENT { continue }
        throw FileError("write", path, code: code)
      }
      _ = flock(descriptor, LOCK_EX)
      guard let status = FileSystem.status(of: descriptor, named: path) else {
        close(descriptor)
        continue
      }
      let manifest = FolderManifest(node: UInt64(status.st_ino), list: list)
      do throws(FileError) {
        try overwrite(descriptor, with: manifest.text, at: 0, path)
      } catch {
        close(descriptor)
        removeFile(path)
        FileSystem.removeFolder(folder)
        throw error
      }
      return (folder, descriptor, manifest)
    }
    throw FileError("write", prefix, reason: "no folder of this name can be made")
  }

  /// Removes the remains of killed processes for outputs of this name.
  private func removeLeftovers(_ name: String) {
    removal.removeHidden(".\(stem.prefix(40)).apus-")
    let left = removal.names(from: stem).filter { folder in
      guard isNumberedStem(folder) else { return false }
      let manifest = FolderRemoval.manifest(of: "\(removal.outer)/\(folder)")
      return manifest.map { $0.list == name && $0.state != .finished } ?? false
    }
    guard !left.isEmpty else { return }
    // An output of this name in its commit holds manifests itself, and would find none held by others.
    let lock = OutputLock(path)
    defer { withExtendedLifetime(lock) {} }
    let current = FolderMark(in: path)
    for folder in left {
      guard let held = FolderRemoval.Held("\(removal.outer)/\(folder)"),
        let manifest = held.manifest, manifest.list == name, manifest.state != .finished
      else { continue }
      if current?.folder == folder, current?.mark == manifest.mark {
        set(.finished, held.descriptor)
      } else {
        removal.remove(folder, held)
      }
    }
  }

  /// Returns a name that needs no encoding in a URI (RFC 3986, 2.3), because not all readers decode names.
  private static func plain(_ name: Substring) -> String {
    String(
      decoding: name.utf8.map { byte in
        let isPlain =
          (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte)
          || (0x61...0x7a).contains(byte) || [0x2d, 0x2e, 0x5f, 0x7e].contains(byte)
        return isPlain ? byte : UInt8(ascii: "-")
      }, as: UTF8.self)
  }

  /// Creates a file in the folder, with a name such as `video-1/init.mp4`.
  public func file(_ name: String) throws(FileError) -> FolderFile {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." }) else {
      throw FileError("write", name, reason: "it is no name in a folder")
    }
    var place = hidden
    for part in parts.dropLast() {
      place += "/\(part)"
      guard !folders.contains(place) else { continue }
      guard unsafe mkdir(place.systemName, 0o777) == 0 else { throw FileError("write", place) }
      folders.append(place)
    }
    let file = try FolderFile("\(hidden)/\(name)")
    files.append("\(hidden)/\(name)")
    return file
  }

  /// Writes the file that refers to all others, waits until they are on disk, and gives them their names. All files
  /// created by `file` must be flushed.
  ///
  /// - Parameter text: returns the content of the file for the name of the folder. Lines that begin with # are
  ///   comments.
  @discardableResult
  public func commit(_ text: (_ folderName: String) -> String) throws(FileError) -> String {
    for file in files { try Self.sync(file) }
    manifest.files = files.compactMap {
      FolderManifest.File(String($0.dropFirst(hidden.count + 1)), at: $0)
    }
    let place = "\(hidden)/\(FolderManifest.fileName)"
    try Self.overwrite(manifestFile, with: manifest.text, at: 0, place)
    guard fsync(manifestFile) == 0 else { throw FileError("write", place) }

    // Outputs of the same name take turns, so that each sees what it replaces.
    let lock = OutputLock(path)
    defer { withExtendedLifetime(lock) {} }
    let before = onExists == .replace && FileIdentity(path) != nil
    let old = before ? ownFolder(FolderMark(in: path)) : nil
    let name = try takeName()
    // From here on the next process may remove it, unless the list still refers to it.
    if let old { set(.replaced, old.held.descriptor) }
    do throws(FileError) {
      try list.writer.write(text(name) + FolderMark(folder: name, mark: manifest.mark).line)
      let written = try list.commit()
      isCommitted = true
      set(.finished, manifestFile)
      // Nothing is unfinished any more; the next output may replace this one.
      flock(manifestFile, LOCK_UN)
      if before { replaced = remove(old) ? .removed : .kept }
      return written
    } catch {
      if let old { set(.finished, old.held.descriptor) }
      // Back to the name under which `deinit` removes it.
      unsafe rename("\(removal.outer)/\(name)".systemName, hidden.systemName)
      throw error
    }
  }

  /// Gives the folder an unused name.
  private func takeName() throws(FileError) -> String {
    for number in 0..<10_000 {
      let name = number == 0 ? stem : "\(stem)-\(number)"
      let target = "\(removal.outer)/\(name)"
      if renameToFree(hidden, target) { return name }
      if errno == EEXIST { continue }
      // On other file systems, only an empty folder created by this process may be replaced by a rename.
      guard unsafe mkdir(target.systemName, 0o777) == 0 else {
        let code = errno
        if code == EEXIST { continue }
        throw FileError("write", target, code: code)
      }
      guard unsafe rename(hidden.systemName, target.systemName) == 0 else {
        let code = errno
        FileSystem.removeFolder(target)
        throw FileError("write", target, code: code)
      }
      return name
    }
    throw FileError("write", path, reason: "there are 10000 folders of this name")
  }

  private typealias OwnFolder = (name: String, held: FolderRemoval.Held)

  /// Returns the folder that a list refers to, if this program is proven to have made it.
  private func ownFolder(_ mark: FolderMark?) -> OwnFolder? {
    guard let mark, isNumberedStem(mark.folder),
      let held = FolderRemoval.Held("\(removal.outer)/\(mark.folder)", waits: true),
      let manifest = held.manifest, manifest.mark == mark.mark, manifest.list == path.lastName
    else { return nil }
    return (mark.folder, held)
  }

  /// Removes the folder that the replaced file referred to; returns whether nothing of it is left.
  private func remove(_ old: OwnFolder?) -> Bool {
    // No file is removed before the new list is on disk.
    guard let old, (try? Self.sync(removal.outer)) != nil else { return false }
    return removal.remove(old.name, old.held)
  }

  /// Writes the state. A process that is killed before this leaves a state that the next one understands.
  private func set(_ state: FolderManifest.State, _ descriptor: Int32) {
    try? Self.overwrite(
      descriptor, with: FolderManifest.stateLine(state), at: FolderManifest.statePlace, path)
  }

  private static func overwrite(
    _ descriptor: Int32, with text: String, at offset: Int, _ path: String
  ) throws(FileError) {
    let bytes = Array(text.utf8)
    guard FileSystem.write(bytes.span, to: descriptor, at: offset) else {
      throw FileError("write", path)
    }
  }

  /// Returns whether the name of a folder is one that this output may use.
  private func isNumberedStem(_ name: String) -> Bool {
    guard name.hasPrefix(stem) else { return false }
    let number = name.dropFirst(stem.count)
    return number.isEmpty
      || (number.hasPrefix("-") && number.count > 1
        && number.dropFirst().utf8.allSatisfy { (0x30...0x39).contains($0) })
  }

  private static func sync(_ path: String) throws(FileError) {
    let descriptor = FileSystem.open(path, O_RDONLY)
    guard descriptor >= 0 else { throw FileError("write", path) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw FileError("write", path) }
  }
}
