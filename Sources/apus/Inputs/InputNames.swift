// SPDX-License-Identifier: MIT

import Bytes
import Files
import Stills

/// The name of one input, which is not open yet.
struct InputName: Hashable {
  /// The path, or `-`.
  var path: String
  /// The folder that was named, where the file was found in one.
  var folder: String?
  /// What the name of its output may hold beside its own.
  var fields = NameFields()

  /// Whether it was found in a folder rather than named; such a file may be of any kind.
  var isFound: Bool { folder != nil }

  /// The path below the folder that was named, or the file's name alone.
  var relative: String {
    guard let folder else { return String(path.lastName) }
    let rest = path.utf8.dropFirst(folder.utf8.count).drop { $0 == UInt8(ascii: "/") }
    return String(Substring(rest))
  }

  /// The input itself.
  func opened(_ limits: Limits) throws(FileError) -> any ByteSource {
    try path == "-" ? standardInput(limit: limits.pipe) : openInput(path, limit: limits.pipe)
  }
}

/// The inputs that the arguments name, one by one: operands, patterns that no shell has expanded, the files in
/// folders, the names in lists. None but the next is held where that can be avoided.
struct InputNames: ~Copyable {
  private var operands: ArraySlice<String>
  private var lists: ArraySlice<String>
  private var matches: ArraySlice<String> = []
  private var list: NameList?
  private var walk: FileWalk?
  private let recursive: Bool
  private let takesFolders: Bool
  private let zero: Bool
  /// The folder that outputs go to, which holds no inputs.
  private let except: String?

  init(_ options: InputOptions, except: String? = nil) {
    self.except = except
    operands = options.operands[...]
    lists = options.lists[...]
    recursive = options.recursive
    takesFolders = options.takesFolders
    zero = options.zero
  }

  /// How many files the arguments name; `nil` where a list can be read only once. What cannot be read counts
  /// as one, for it is reported like one.
  static func count(_ options: InputOptions, _ kinds: PhotoKinds, except: String?) -> Int? {
    guard options.lists.allSatisfy({ FileIdentity($0)?.isRegular == true }) else { return nil }
    var names = InputNames(options, except: except)
    var count = 0
    while true {
      do throws(FileError) {
        guard let name = try names.next() else { return count }
        if !name.isFound || kinds.contains(name.path) { count += 1 }
      } catch {
        count += 1
      }
    }
  }

  /// The files that the arguments name; what a list says that can be read only once is not among them.
  ///
  /// - Parameters:
  ///   - all: whether folders and lists are looked into; otherwise only what is named itself is taken in.
  ///   - isRead: whether the job reads a file that was found in a folder.
  static func files(
    _ options: InputOptions, all: Bool, except: String? = nil,
    where isRead: (String) -> Bool = { _ in true }
  ) -> InputFiles {
    let files = InputFiles()
    for operand in options.operands { files.add(operand) }
    guard all else { return files }
    var rest = options
    rest.lists.removeAll { FileIdentity($0)?.isRegular != true }
    var names = InputNames(rest, except: except)
    while true {
      do throws(FileError) {
        guard let name = try names.next() else { return files }
        if !name.isFound || isRead(name.path) { files.add(name.path) }
      } catch {
        // It is reported where the names are taken for the job.
      }
    }
  }

  /// The next name; after an error the one after what could not be read.
  mutating func next() throws(FileError) -> InputName? {
    while true {
      if let path = try walk?.next() { return InputName(path: path, folder: walk?.folder) }
      walk = nil
      if let path = matches.popFirst() {
        if let name = try input(path) { return name }
      } else if let path = try nextInList() {
        if let name = try input(path) { return name }
      } else if let operand = operands.popFirst() {
        if operand == "-" { return InputName(path: operand) }
        matches = expanded(operand)[...]
      } else if let path = lists.popFirst() {
        list = try NameList(path, isNull: zero)
      } else {
        return nil
      }
    }
  }

  private mutating func nextInList() throws(FileError) -> String? {
    // A list that failed is not read on.
    guard var current = list.take() else { return nil }
    guard let path = try current.next() else { return nil }
    list = consume current
    return path
  }

  /// The name itself, or nothing when it stands for others, which then follow.
  private mutating func input(_ path: String) throws(FileError) -> InputName? {
    guard FileWalk.isFolder(path) else { return InputName(path: path) }
    guard recursive else {
      let advice = takesFolders ? "; -r takes the files in it" : ""
      throw FileError("read", path, reason: "it is a folder" + advice)
    }
    walk = FileWalk(path, except: except)
    return nil
  }
}

/// The files that a pattern fits; the word itself when it is no pattern, is a file, or fits nothing.
private func expanded(_ word: String) -> [String] {
  guard word.contains(where: { "*?[".contains($0) }), !FileSystem.exists(word) else {
    return [word]
  }
  return FileSystem.matches(word) ?? [word]
}
