// SPDX-License-Identifier: MIT

/// The inputs in a list one by one: operands, patterns that no shell has expanded, the files in folders, the names in
/// lists. Only the next one is kept in memory if possible.
public struct InputNames: ~Copyable {
  private var operands: ArraySlice<String>
  private var lists: ArraySlice<String>
  private var matches: ArraySlice<String> = []
  private var list: NameList?
  private var walk: FileWalk?
  private let recursive: Bool
  private let takesFolders: Bool
  private let zero: Bool
  /// The output folder, which contains no inputs.
  private let except: String?

  /// - Parameter except: the output folder.
  public init(_ list: InputList, except: String? = nil) {
    self.except = except
    operands = list.operands[...]
    lists = list.lists[...]
    recursive = list.recursive
    takesFolders = list.takesFolders
    zero = list.isNullEnded
  }

  /// Returns the number of named files; `nil` if a list can be read only once. Unreadable names count as one each,
  /// because they are reported like files.
  ///
  /// - Parameter isRead: returns whether the job reads a file that was found in a folder.
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

  /// Returns the named files, without those in lists that can be read only once.
  ///
  /// - Parameters:
  ///   - all: whether folders and lists are read; otherwise only directly named files are included.
  ///   - isRead: returns whether the job reads a file that was found in a folder.
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
        // The error is reported when the job reads the names.
      }
    }
  }

  /// Returns the next name; after an error, the next call continues after the unreadable name.
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
    // A list that failed is not read further.
    guard var current = list.take() else { return nil }
    guard let path = try current.next() else { return nil }
    list = consume current
    return path
  }

  /// Returns the name itself; if it denotes others, returns `nil`, and these follow.
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

/// Returns the files that match a pattern; the word itself if it is not a pattern, is a file, or matches nothing.
private func expanded(_ word: String) -> [String] {
  guard word.contains(where: { "*?[".contains($0) }), !FileSystem.exists(word) else {
    return [word]
  }
  return FileSystem.matches(word) ?? [word]
}
