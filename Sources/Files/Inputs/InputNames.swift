// SPDX-License-Identifier: MIT

/// The inputs that a list names, one by one: operands, patterns that no shell has expanded, the files in
/// folders, the names in lists. None but the next is held where that can be avoided.
public struct InputNames: ~Copyable {
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

  /// - Parameter except: the folder that outputs go to.
  public init(_ list: InputList, except: String? = nil) {
    self.except = except
    operands = list.operands[...]
    lists = list.lists[...]
    recursive = list.recursive
    takesFolders = list.takesFolders
    zero = list.isNullEnded
  }

  /// How many files are named; `nil` where a list can be read only once. What cannot be read counts
  /// as one, for it is reported like one.
  ///
  /// - Parameter isRead: whether the job reads a file that was found in a folder.
  public static func count(
    _ list: InputList, except: String?, where isRead: (String) -> Bool
  ) -> Int? {
    guard list.lists.allSatisfy({ FileIdentity($0)?.isRegular == true }) else { return nil }
    var names = InputNames(list, except: except)
    var count = 0
    while true {
      do throws(FileError) {
        guard let name = try names.next() else { return count }
        if !name.isFound || isRead(name.path) { count += 1 }
      } catch {
        count += 1
      }
    }
  }

  /// The files that are named; what a list says that can be read only once is not among them.
  ///
  /// - Parameters:
  ///   - all: whether folders and lists are looked into; otherwise only what is named itself is taken in.
  ///   - isRead: whether the job reads a file that was found in a folder.
  public static func files(
    _ list: InputList, all: Bool, except: String? = nil,
    where isRead: (String) -> Bool = { _ in true }
  ) -> InputFiles {
    let files = InputFiles()
    for operand in list.operands { files.add(operand) }
    guard all else { return files }
    var rest = list
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
  public mutating func next() throws(FileError) -> InputName? {
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
