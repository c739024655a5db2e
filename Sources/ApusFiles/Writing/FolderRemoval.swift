// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import Glibc

/// Removes folders that a `FolderOutput` has made, as far as their manifests prove it.
struct FolderRemoval {
  /// The folder that contains them.
  let outer: String
  /// The name of such folders, without a number.
  let stem: String
  /// Returns whether a name is one that the job gives to its files, such as `video-1/init.mp4`.
  let isOwn: (String) -> Bool
  /// Files that are kept whatever a manifest states.
  let inputs: InputFiles

  /// A manifest that no other living process holds, with its descriptor.
  final class Held {
    let descriptor: Int32
    let manifest: FolderManifest?

    /// Opens the manifest of a folder; `nil` if there is no such regular file, or another process holds it.
    ///
    /// - Parameter waits: whether to wait for the other process. One that looks for leftovers holds a finished manifest for
    ///   the moment in which it reads it.
    init?(_ folder: String, waits: Bool = false) {
      guard let opened = FolderRemoval.open(folder) else { return nil }
      var result: Int32
      repeat {
        result = flock(opened, waits ? LOCK_EX : LOCK_EX | LOCK_NB)
      } while result != 0 && errno == EINTR
      guard result == 0 else {
        close(opened)
        return nil
      }
      descriptor = opened
      (manifest, isEmpty) = FolderRemoval.read(opened)
    }

    /// Whether its process was killed before it had written anything.
    let isEmpty: Bool

    deinit { close(descriptor) }
  }

  /// Returns the present manifest of a folder, even while another process holds it.
  static func manifest(of folder: String) -> FolderManifest? {
    guard let opened = open(folder) else { return nil }
    defer { close(opened) }
    return read(opened).manifest
  }

  /// Opens the manifest of a folder if only this user can have written it.
  private static func open(_ folder: String) -> Int32? {
    let path = "\(folder)/\(FolderManifest.fileName)"
    let opened = FileSystem.openTrusted(path, O_RDWR)
    return opened >= 0 ? opened : nil
  }

  private static func read(_ descriptor: Int32) -> (manifest: FolderManifest?, isEmpty: Bool) {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_size < 1 << 26 else {
      return (nil, false)
    }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    let count = unsafe bytes.withUnsafeMutableBytes {
      unsafe pread(descriptor, $0.baseAddress, $0.count, 0)
    }
    let text = String(decoding: bytes, as: UTF8.self)
    guard count == bytes.count, let manifest = FolderManifest(text) else {
      return (nil, bytes.isEmpty)
    }
    // A copy has another inode number.
    return (manifest.node == UInt64(status.st_ino) ? manifest : nil, false)
  }

  /// Removes what killed processes have left in hidden folders with this prefix.
  func removeHidden(_ prefix: String) {
    for name in names(from: prefix) {
      let folder = "\(outer)/\(name)"
      guard kind(of: folder) == S_IFDIR else { continue }
      guard let held = Held(folder) else {
        // Removes one that was just created and is still empty; fails if it has contents.
        FileSystem.removeFolder(folder)
        continue
      }
      guard held.isEmpty || (held.manifest.map { $0.state != .finished } ?? false) else { continue }
      for inner in contents(of: folder) where kind(of: "\(folder)/\(inner)") == S_IFDIR {
        for file in contents(of: "\(folder)/\(inner)") where isOwn("\(inner)/\(file)") {
          let path = "\(folder)/\(inner)/\(file)"
          if kind(of: path) == S_IFREG, !inputs.contains(path) { removeFile(path) }
        }
        FileSystem.removeFolder("\(folder)/\(inner)")
      }
      end(folder)
    }
  }

  /// Removes the files of a folder that are still those of its manifest. Returns whether nothing of the folder is left.
  @discardableResult
  func remove(_ name: String, _ held: Held) -> Bool {
    guard let manifest = held.manifest else { return false }
    let folder = "\(outer)/\(name)"
    var folders: Set<String> = []
    for file in manifest.files where isOwn(file.name) {
      let parts = file.name.split(separator: "/", omittingEmptySubsequences: false)
      guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." }) else {
        continue
      }
      let path = "\(folder)/\(file.name)"
      guard kind(of: "\(folder)/\(parts[0])") == S_IFDIR else { continue }
      folders.insert(String(parts[0]))
      if file.isUnchanged(at: path), !inputs.contains(path) { removeFile(path) }
    }
    for inner in folders { FileSystem.removeFolder("\(folder)/\(inner)") }
    let isLeft = manifest.files.contains { FileSystem.exists("\(folder)/\($0.name)") }
    if end(folder) { return true }
    // The remaining files belong to someone else, so the folder is no longer marked as this program's.
    if !isLeft { removeFile("\(folder)/\(FolderManifest.fileName)") }
    return false
  }

  /// Removes the manifest, and the folder if nothing else is left in it.
  @discardableResult
  private func end(_ folder: String) -> Bool {
    guard contents(of: folder) == [FolderManifest.fileName] else { return false }
    // Under a hidden name first: if the process is killed here, the next one knows to whom the empty folder belongs.
    let mark = String(UInt64.random(in: 0 ... .max), radix: 36)
    let hidden = "\(outer)/.\(stem.prefix(40)).apus-\(mark)"
    guard unsafe rename(folder.systemName, hidden.systemName) == 0 else { return false }
    removeFile("\(hidden)/\(FolderManifest.fileName)")
    // Another process may have removed the empty folder as abandoned.
    if unsafe rmdir(hidden.systemName) == 0 || errno == ENOENT { return true }
    // Someone put a file into it in the meantime.
    unsafe rename(hidden.systemName, folder.systemName)
    return false
  }

  /// Returns the entries of the outer folder with this prefix.
  func names(from prefix: String) -> [String] {
    contents(of: outer).filter { $0.hasPrefix(prefix) }.sorted()
  }
}

/// Returns the names in a folder, including hidden ones.
func contents(of folder: String) -> [String] {
  guard let listing = unsafe opendir(folder.systemName) else { return [] }
  defer { unsafe closedir(listing) }
  var names: [String] = []
  while let entry = unsafe readdir(listing) {
    let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) {
      unsafe FileName.text(of: $0.prefix { $0 != 0 })
    }
    if name != ".", name != ".." { names.append(name) }
  }
  return names
}

/// Returns the kind of a file, without following a link; 0 if there is none.
func kind(of path: String) -> mode_t {
  var status = stat()
  return unsafe lstat(path.systemName, &status) == 0 ? status.st_mode & S_IFMT : 0
}

extension FolderManifest.File {
  /// Describes the present state of a file; `nil` if it is not a regular file.
  init?(_ name: String, at path: String) {
    guard let status = FileSystem.status(path, followsLinks: false),
      status.st_mode & S_IFMT == S_IFREG
    else { return nil }
    self.init(
      name: name, size: Int(status.st_size), node: UInt64(status.st_ino),
      modified: FileTimes(access: status.st_atim, modification: status.st_mtim)
        .modificationNanoseconds)
  }

  func isUnchanged(at path: String) -> Bool {
    guard let now = FolderManifest.File(name, at: path) else { return false }
    return now.size == size && now.node == node && now.modified == modified
  }
}
