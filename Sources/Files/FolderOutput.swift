// SPDX-License-Identifier: MIT

internal import Glibc

/// A file and the folder of those that it names, `clip.m3u8` and `clip/`, which appear whole or not at all.
///
/// Until `commit` all lies in a hidden folder beside the file. Then the folder gets its name, which no other
/// has, and last the file, which replaces one that was there at a blow. Unless it was committed nothing is left. What
/// the replaced one named goes after that, so at no time does the file name anything that is not there.
public final class FolderOutput {
  public let path: String
  /// Of the folder, as the file names it.
  public let folderName: String
  /// What folders of such a file are called, a number behind it aside.
  private let stem: String

  private let list: FileOutput
  private let hidden: String
  private var files: [String] = []
  private var folders: [String] = []
  private var isCommitted = false

  /// Begins; `nil` when the file is there and the policy is to skip it.
  public init?(_ path: String, onExists: OnExists = .skip) throws(FileError) {
    var target = path
    var number = 0
    while onExists == .rename, number < 10_000, unsafe access(target, F_OK) == 0 {
      number += 1
      target = numbered(path, number)
    }
    guard let list = try FileOutput(target, onExists: onExists) else { return nil }
    guard !list.isDirect else {
      throw FileError("write", path, reason: "the files that it names need a folder beside it")
    }
    self.list = list
    self.path = list.path
    let outer = folder(of: list.path)
    let name = fileName(of: list.path)
    let stem = name.lastIndex(of: ".").map { name[..<$0] } ?? name[...]
    let plain = stem.isEmpty ? "media" : Self.plain(stem)
    self.stem = plain
    var chosen = plain
    var attempt = 0
    while unsafe access("\(outer)/\(chosen)", F_OK) == 0 {
      attempt += 1
      chosen = "\(plain)-\(attempt)"
    }
    folderName = chosen
    hidden =
      "\(outer)/.\(chosen.prefix(40)).apus-\(String(UInt64.random(in: 0 ... .max), radix: 36))"
    guard unsafe mkdir(hidden, 0o777) == 0 else { throw FileError("write", hidden) }
  }

  deinit {
    guard !isCommitted else { return }
    for file in files { unsafe unlink(file) }
    for folder in folders.reversed() { unsafe rmdir(folder) }
    unsafe rmdir(hidden)
  }

  /// Of characters that stand for themselves in a URI (RFC 3986, 2.3), since not all readers decode others.
  private static func plain(_ name: Substring) -> String {
    String(
      decoding: name.utf8.map { byte in
        let isPlain =
          (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte)
          || (0x61...0x7a).contains(byte) || [0x2d, 0x2e, 0x5f, 0x7e].contains(byte)
        return isPlain ? byte : UInt8(ascii: "-")
      }, as: UTF8.self)
  }

  /// Begins a file in the folder, by a name such as `video-1/init.mp4`.
  public func file(_ name: String) throws(FileError) -> FolderFile {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." }) else {
      throw FileError("write", name, reason: "it is no name in a folder")
    }
    var place = hidden
    for part in parts.dropLast() {
      place += "/\(part)"
      guard !folders.contains(place) else { continue }
      guard unsafe mkdir(place, 0o777) == 0 else { throw FileError("write", place) }
      folders.append(place)
    }
    let file = try FolderFile("\(hidden)/\(name)")
    files.append("\(hidden)/\(name)")
    return file
  }

  /// Writes the file that names all others, waits until the disk has them, and gives them their names. All that
  /// `file` began is flushed by now.
  ///
  /// - Parameter names: what the file named that this one replaces, from its folder. Of that goes what lies in a folder
  ///   which an output of this name has made.
  @discardableResult
  public func commit(_ text: String, replacing names: [String] = []) throws(FileError) -> String {
    for file in files { try Self.sync(file) }
    try list.writer.write(text)
    let target = "\(folder(of: path))/\(folderName)"
    // A plain rename would take the place of an empty folder of someone else's.
    guard unsafe access(target, F_OK) != 0, unsafe rename(hidden, target) == 0 else {
      throw FileError("write", target)
    }
    do throws(FileError) {
      let written = try list.commit()
      isCommitted = true
      remove(names)
      return written
    } catch {
      // Back to where `deinit` takes it away.
      unsafe rename(target, hidden)
      throw error
    }
  }

  /// Takes files away that nothing names any more, and folders that are empty then. What cannot be removed stays.
  private func remove(_ names: [String]) {
    let outer = folder(of: path)
    let own = names.filter { isReplaced($0) }
    // No file goes before the disk has the new list.
    guard !own.isEmpty, (try? Self.sync(outer)) != nil else { return }
    var folders: Set<String> = []
    for name in own {
      var inner = Self.folders(of: name)
      guard inner.allSatisfy({ Self.kind(of: "\(outer)/\($0)") == S_IFDIR }),
        Self.kind(of: "\(outer)/\(name)") == S_IFREG
      else { continue }
      unsafe unlink("\(outer)/\(name)")
      while let folder = inner.popLast() { folders.insert(folder) }
    }
    for folder in folders.sorted(by: { $0.utf8.count > $1.utf8.count }) {
      unsafe rmdir("\(outer)/\(folder)")
    }
  }

  /// Whether it lies in a folder that an output of this name has made, and not in the new one.
  private func isReplaced(_ name: String) -> Bool {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count > 1, parts.allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." }),
      let first = parts.first, first != folderName, first.hasPrefix(stem)
    else { return false }
    let number = first.dropFirst(stem.count)
    return number.isEmpty
      || (number.hasPrefix("-") && number.count > 1 && number.dropFirst().allSatisfy(\.isNumber))
  }

  /// `a/b/c` lies in `a` and `a/b`.
  private static func folders(of name: String) -> [String] {
    name.indices.filter { name[$0] == "/" }.map { String(name[..<$0]) }
  }

  /// Of a file itself, not of what it links to; 0 where there is none.
  private static func kind(of path: String) -> mode_t {
    var status = stat()
    return unsafe lstat(path, &status) == 0 ? status.st_mode & S_IFMT : 0
  }

  private static func sync(_ path: String) throws(FileError) {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileError("write", path) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw FileError("write", path) }
  }
}

/// A file in a folder that is not complete yet.
public final class FolderFile {
  /// Where the bytes go.
  public let writer: DescriptorWriter
  private let descriptor: Int32

  fileprivate init(_ path: String) throws(FileError) {
    descriptor = unsafe open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    writer = DescriptorWriter(descriptor, name: path, isAwaited: true)
    guard descriptor >= 0 else { throw FileError("write", path) }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Overwrites bytes that were written before.
  public func replace(at offset: Int, with bytes: [UInt8]) throws(FileError) {
    try writer.flush()
    var written = 0
    while written < bytes.count {
      let step = unsafe bytes.withUnsafeBytes { buffer in
        let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[written...])
        return unsafe pwrite(descriptor, rest.baseAddress, rest.count, off_t(offset + written))
      }
      if step < 0, errno == EINTR { continue }
      guard step > 0 else { throw FileError("write", writer.name) }
      written += step
    }
  }
}
