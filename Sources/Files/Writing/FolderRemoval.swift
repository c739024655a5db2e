// SPDX-License-Identifier: MIT

internal import Glibc

/// Takes folders away that a `FolderOutput` has made, as far as their manifests prove that it has.
struct FolderRemoval {
  /// The folder that they lie in.
  let outer: String
  /// What such folders are called, a number after it aside.
  let stem: String
  /// Whether a name is one that the job gives to its files, such as `video-1/init.mp4`.
  let isOwn: (String) -> Bool
  /// Files that stay whatever a manifest says of them.
  let inputs: InputFiles

  /// A manifest that no living process holds, with its descriptor.
  final class Held {
    let descriptor: Int32
    let manifest: FolderManifest?

    /// Returns `nil` where there is no regular file of that name, or another process holds it.
    init?(_ folder: String) {
      guard let opened = FolderRemoval.open(folder) else { return nil }
      guard flock(opened, LOCK_EX | LOCK_NB) == 0 else {
        close(opened)
        return nil
      }
      descriptor = opened
      (manifest, isEmpty) = FolderRemoval.read(opened)
    }

    /// Whether its process was killed before it wrote anything.
    let isEmpty: Bool

    deinit { close(descriptor) }
  }

  /// What the manifest of a folder says at the moment, even while another process holds it.
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
    // One that was copied here has another number.
    return (manifest.node == UInt64(status.st_ino) ? manifest : nil, false)
  }

  /// Removes what a killed process left in hidden folders of this beginning.
  func removeHidden(_ prefix: String) {
    for name in names(from: prefix) {
      let folder = "\(outer)/\(name)"
      guard kind(of: folder) == S_IFDIR else { continue }
      guard let held = Held(folder) else {
        // One that was just made and is still empty goes; with anything in it this fails.
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

  /// Removes the files of a folder that are still those of its manifest. Answers whether nothing of the folder is left.
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
    // What is left is not ours, so nothing says any more that the folder is.
    if !isLeft { removeFile("\(folder)/\(FolderManifest.fileName)") }
    return false
  }

  /// Removes the manifest and the folder, where nothing else is left in it.
  @discardableResult
  private func end(_ folder: String) -> Bool {
    guard contents(of: folder) == [FolderManifest.fileName] else { return false }
    // Under a hidden name first: should the process be killed here, the next one knows whose the empty folder is.
    let mark = String(UInt64.random(in: 0 ... .max), radix: 36)
    let hidden = "\(outer)/.\(stem.prefix(40)).apus-\(mark)"
    guard unsafe rename(folder.systemName, hidden.systemName) == 0 else { return false }
    removeFile("\(hidden)/\(FolderManifest.fileName)")
    // Another process may have taken the empty folder for one that was left.
    if unsafe rmdir(hidden.systemName) == 0 || errno == ENOENT { return true }
    // Someone put a file into it meanwhile.
    unsafe rename(hidden.systemName, folder.systemName)
    return false
  }

  /// The entries of the outer folder that begin so.
  func names(from prefix: String) -> [String] {
    contents(of: outer).filter { $0.hasPrefix(prefix) }.sorted()
  }
}

/// The names of what is in a folder, hidden ones included.
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

/// The kind of a file itself, not of what it links to; 0 where there is none.
func kind(of path: String) -> mode_t {
  var status = stat()
  return unsafe lstat(path.systemName, &status) == 0 ? status.st_mode & S_IFMT : 0
}

extension FolderManifest.File {
  /// Describes a file as it is now; `nil` where it is no regular file.
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
