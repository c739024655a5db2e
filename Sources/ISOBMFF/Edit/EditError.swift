// SPDX-License-Identifier: MIT

public import ApusBytes
public import ApusMedia

/// The reason why an edit was not made.
public enum EditError: Error, Sendable {
  /// No box has this path; the paths of the boxes at the first step without a match are given.
  case unknownPath(String, known: [String])
  /// Several boxes have this path; their number is given.
  case ambiguousPath(String, count: Int)
  /// The box has no such field; the names of its fields are given.
  case unknownField(path: String, name: String, known: [String])
  /// The box has several fields with this name; their number is given.
  case ambiguousField(path: String, name: String, count: Int)
  case value(path: String, name: String, text: String, expected: String)
  /// The box cannot be changed in this way, for the given reason.
  case refused(path: String, reason: String, remedy: Remedy? = nil)
  /// An offset in the box at this path cannot be updated, for the given reason.
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

  /// The possible solution; `nil` if none is known.
  public var remedy: Remedy? {
    if case .refused(_, _, let remedy) = self { return remedy }
    return nil
  }

  /// The existing names, one of which may have been meant.
  public var known: [String] {
    switch self {
    case .unknownPath(_, let known), .unknownField(_, _, let known): known
    default: []
    }
  }
}

/// Runs a closure that reads the input, and converts its errors.
func reading<Result>(_ body: () throws(SyntaxError) -> Result) throws(EditError) -> Result {
  do throws(SyntaxError) {
    return try body()
  } catch {
    throw .unreadable(error)
  }
}
