// SPDX-License-Identifier: MIT

internal import Glibc

/// A record of the files that this program has written to a folder, in a hidden file of that folder that grows with
/// them, so that a later process knows them, however the previous one ended.
///
/// A file of an earlier process is identified by its size, time and inode number, as in a `FolderManifest`: if anything
/// differs, it belongs to someone else. The manifest is locked as long as the folder is written to.
package final class GrowingManifest {
  package static let fileName = ".apus-files"
  private static let title = "apus files 1"

  /// A note of the files' owner: the last text that was written.
  package private(set) var memo: String?

  private let folder: String
  private let path: String
  private let isOwn: (String) -> Bool
  private var descriptor: Int32 = -1
  private var entries: [String: Entry] = [:]
  /// The lines that are not in the file yet.
  private var gathered = ""
  private var written = 0
  /// Whether the last line may be incomplete because the disk was full.
  private var isTorn = false

  private struct Entry {
    var file: FolderManifest.File
    /// Whether this process has written it.
    var isNew: Bool
  }

  /// Opens the manifest of a folder, creating it if it is missing.
  ///
  /// - Parameter isOwn: returns whether a name is one that this kind of output uses. Nothing else is ever removed.
  package init(of folder: String, isOwn: @escaping (String) -> Bool) throws(FileError) {
    self.folder = folder.hasSuffix("/") ? folder : folder + "/"
    self.isOwn = isOwn
    path = self.folder + Self.fileName
    try OutputFolder.make(for: path)
    descriptor = try Self.locked(path)
    do throws(FileError) {
      if try read() { try rewrite() }
    } catch {
      close(descriptor)
      descriptor = -1
      throw error
    }
  }

  deinit {
    guard descriptor >= 0 else { return }
    // A process that is just being started may share the descriptor.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  /// The names of the existing files.
  package var names: [String] { Array(entries.keys) }

  /// Returns the names of the folders in a folder that have a manifest.
  package static func folders(in outer: String) -> [String] {
    ApusFiles.contents(of: outer).filter { kind(of: "\(outer)/\($0)/\(fileName)") == S_IFREG }
      .sorted()
  }

  /// Records a file that is about to get its name, after all bytes were written to it.
  package func note(_ name: String, _ output: FileOutput) throws(FileError) {
    guard isOwn(name), let identity = try output.identity() else { return }
    let file = FolderManifest.File(
      name: name, size: identity.size, node: identity.node,
      modified: identity.times.modificationNanoseconds)
    entries[name] = Entry(file: file, isNew: true)
    gathered += file.line
  }

  /// Records a note of one line.
  package func remember(_ words: String) {
    guard words != memo else { return }
    memo = words
    gathered += "memo \(words)\n"
  }

  /// Whether most of its lines are about removed files.
  private var isLong: Bool { written > 2 * entries.count + 1000 }

  /// Writes the recorded lines.
  ///
  /// - Parameter isAwaited: whether to wait for the disk.
  package func flush(isAwaited: Bool) throws(FileError) {
    if isLong { return try rewrite() }
    guard !gathered.isEmpty else { return }
    try append(isTorn ? "\n" + gathered : gathered)
    (gathered, isTorn) = ("", false)
    guard !isAwaited || fdatasync(descriptor) == 0 else { throw FileError("write", path) }
  }

  /// Removes a file if it is known to be this program's.
  package func remove(_ name: String) throws(FileError) {
    guard let entry = entries.removeValue(forKey: name) else { return }
    let place = folder + name
    guard entry.isNew ? FileSystem.exists(place) : entry.file.isUnchanged(at: place) else { return }
    try FileSystem.remove(place)
  }

  // MARK: - The file

  /// Opens the file and locks it against other processes. If the file system has no locks, it is opened without.
  private static func locked(_ path: String) throws(FileError) -> Int32 {
    for _ in 0..<100 {
      let opened = FileSystem.open(
        path, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, mode: 0o644)
      guard opened >= 0 else { throw FileError("write", path) }
      guard flock(opened, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else {
        close(opened)
        throw FileError("write", path, reason: "another process is writing into this folder")
      }
      guard let mine = FileSystem.status(of: opened, named: path) else {
        // The previous process has rewritten it in the meantime.
        close(opened)
        continue
      }
      guard FileSystem.isTrusted(mine) else {
        close(opened)
        throw strange(path)
      }
      return opened
    }
    throw FileError("write", path, reason: "it does not stay the same file")
  }

  private static func strange(_ path: String) -> FileError {
    FileError("write", path, reason: "there is another file of this name")
  }

  /// Reads the records of earlier processes. Incomplete lines are ignored, and so is a copy of a manifest, which has
  /// another inode number.
  ///
  /// - Returns: whether it has to be rewritten.
  private func read() throws(FileError) -> Bool {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw FileError("read", path) }
    guard status.st_size < 1 << 26 else { throw Self.strange(path) }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    let count = unsafe bytes.withUnsafeMutableBytes {
      unsafe pread(descriptor, $0.baseAddress, $0.count, 0)
    }
    guard count >= 0 else { throw FileError("read", path) }
    // After a power failure it may be empty, or contain zeros in place of data.
    bytes = bytes.prefix(count).filter { $0 != 0 }
    isTorn = bytes.last != 0x0a
    guard !bytes.isEmpty else { return true }
    guard bytes.starts(with: Self.title.utf8) || Self.title.utf8.starts(with: bytes) else {
      throw Self.strange(path)
    }
    let text = String(decoding: bytes, as: UTF8.self)
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false)[...]
    // The last line is incomplete.
    lines = lines.dropFirst().dropLast()
    let isOriginal = lines.popFirst() == "node \(status.st_ino)"
    for line in lines {
      if line.hasPrefix("memo ") {
        memo = String(line.dropFirst(5))
      } else if isOriginal, let file = FolderManifest.File(line: line), isOwn(file.name) {
        entries[file.name] = Entry(file: file, isNew: false)
      }
    }
    for (name, entry) in entries where !entry.file.isUnchanged(at: folder + name) {
      entries[name] = nil
      // A file that the process was about to name has a hidden name.
      HiddenName.removeLeft(for: folder + name)
    }
    written = lines.count
    return !isOriginal || isLong
  }

  /// Rewrites the manifest with the present entries in one step. The new file is locked before it gets the name.
  private func rewrite() throws(FileError) {
    let created = HiddenName.create(for: path)
    guard created.descriptor >= 0 else { throw FileError("write", path) }
    let old = descriptor
    descriptor = created.descriptor
    do throws(FileError) {
      var status = stat()
      guard unsafe fstat(descriptor, &status) == 0 else { throw FileError("write", path) }
      written = 0
      let memo = memo.map { "memo \($0)\n" } ?? ""
      let lines = entries.values.map(\.file.line).joined()
      try append("\(Self.title)\nnode \(status.st_ino)\n\(memo)\(lines)")
      guard fsync(descriptor) == 0, unsafe rename(created.name.systemName, path.systemName) == 0
      else { throw FileError("write", path) }
    } catch {
      descriptor = old
      removeFile(created.name)
      close(created.descriptor)
      throw error
    }
    (gathered, isTorn) = ("", false)
    close(old)
  }

  private func append(_ text: String) throws(FileError) {
    let bytes = Array(text.utf8)
    var done = 0
    while done < bytes.count {
      let step = unsafe bytes.withUnsafeBytes {
        unsafe write(descriptor, $0.baseAddress.map { unsafe $0 + done }, $0.count - done)
      }
      if step < 0, errno == EINTR { continue }
      guard step > 0 else {
        isTorn = true
        throw FileError("write", path)
      }
      done += step
    }
    written += text.utf8.count { $0 == 0x0a }
  }
}
