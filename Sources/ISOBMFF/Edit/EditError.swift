// SPDX-License-Identifier: MIT

public import Bytes
public import Media

/// Why an edit was not made.
public enum EditError: Error, Sendable {
  /// No box has this path; the paths of the boxes that are beside the first step that leads nowhere.
  case unknownPath(String, known: [String])
  /// So many boxes have this path.
  case ambiguousPath(String, count: Int)
  /// The box at the path has no such field; the names of those it has.
  case unknownField(path: String, name: String, known: [String])
  /// The box at the path has so many fields of this name.
  case ambiguousField(path: String, name: String, count: Int)
  case value(path: String, name: String, text: String, expected: String)
  /// The box is none that can be changed in this way, and why.
  case refused(path: String, reason: String, remedy: Remedy? = nil)
  /// An offset cannot follow: whose, and why.
  case offset(path: String, reason: String)
  case unreadable(SyntaxError)
}

extension EditError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .unknownPath(let path, _): "there is no box \(path)"
    case .ambiguousPath(let path, let count):
      "\(path) stands for \(count) boxes; an index names one of them: \(path)[0] to \(path)[\(count - 1)]"
    case .unknownField(let path, let name, _): "\(path) has no field \(name)"
    case .ambiguousField(let path, let name, let count):
      "\(path) has \(count) fields \(name); a number names one of them: \(name)#0 to \(name)#\(count - 1)"
    case .value(let path, let name, let text, let expected):
      "\(path)/\(name) is \"\(text)\", expected \(expected)"
    case .refused(let path, let reason, _), .offset(let path, let reason): "\(path): \(reason)"
    case .unreadable(let error): "\(error)"
    }
  }

  public var remedy: Remedy? {
    if case .refused(_, _, let remedy) = self { return remedy }
    return nil
  }

  /// What may have been meant: the names that are there.
  public var known: [String] {
    switch self {
    case .unknownPath(_, let known), .unknownField(_, _, let known): known
    default: []
    }
  }
}

/// Runs what reads the input; an error there is an error of the edit.
func reading<Result>(_ body: () throws(SyntaxError) -> Result) throws(EditError) -> Result {
  do throws(SyntaxError) {
    return try body()
  } catch {
    throw .unreadable(error)
  }
}
