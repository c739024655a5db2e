// SPDX-License-Identifier: MIT

internal import ApusFiles
internal import Synchronization

/// The outputs that a run has begun, so that no photo overwrites the output of another: `a.heic` and `a.HEIC` both
/// become `a.jpg`, and some file systems do not distinguish `A.jpg`. Stored as hashes, so that a run of 100,000 photos
/// needs four megabytes.
package final class OutputClaims: Sendable {
  package enum Claim: Hashable, Sendable, Codable {
    case first
    /// The same photo has claimed it before.
    case again
    /// Another photo has claimed it before.
    case taken
    /// The path is an input of the run, which is never overwritten.
    case input
    /// A file from before the run exists whose name differs only in case: on most network shares and on other systems
    /// one of the two would hide the other.
    case similar
  }

  fileprivate struct State {
    var claimed: Set<Entry> = []
    /// The claimed outputs, ignoring case.
    var claimedInAnyCase: Set<UInt64> = []
    /// The folder of the last output as named, the folder that it resolves to, and whether names in it are
    /// case-insensitive.
    var known = (named: "", real: "", ignoresCase: false)
    /// The names in that folder ignoring case, if it is case-sensitive.
    var names: Set<UInt64> = []
  }

  private let state = Mutex(State())
  /// The input files of the run, as far as the settings would allow outputs with their names.
  private let inputs: InputFiles?
  private let mayWrite: Bool

  /// - Parameter mayWrite: whether a hidden file may be created briefly to find out how a file system compares names.
  init(except inputs: InputFiles? = nil, mayWrite: Bool = true) {
    self.inputs = inputs
    self.mayWrite = mayWrite
  }

  /// - Parameter output: a path in any spelling; links to folders are resolved.
  func claim(_ output: String, for input: String) -> Claim {
    if inputs?.contains(output) == true { return .input }
    return state.withLock { $0.claim(output, for: input, mayWrite: mayWrite) }
  }

  /// Returns the file whose name differs from that of an output only in case.
  static func file(similarTo output: String) -> String? {
    let folder = String(output.folderPrefix)
    let own = key(String(output.lastName), ignoringCase: true)
    return names(in: folder.isEmpty ? "./" : folder).first { key($0, ignoringCase: true) == own }
      .map { folder + $0 }
  }

  /// Returns the names in a folder; empty if it cannot be read or does not exist yet.
  fileprivate static func names(in folder: String) -> [String] {
    (try? FileWalk.names(in: folder)) ?? []
  }

  /// Returns the hash of an output. Most file systems that ignore case also treat different encodings of an accent as
  /// the same name, which is how Swift compares strings.
  static func key(_ path: String, ignoringCase: Bool) -> UInt64 {
    guard ignoringCase else { return hash(of: path) }
    var hasher = Hasher()
    hasher.combine(path.lowercased())
    return UInt64(bitPattern: Int64(hasher.finalize()))
  }
}

extension OutputClaims.State {
  fileprivate mutating func claim(_ output: String, for input: String, mayWrite: Bool)
    -> OutputClaims.Claim
  {
    let named = output.lastSlash == nil ? "./" : String(output.folderPrefix)
    if known.named != named {
      let real = realFolder(named)
      known = (named, real, FileSystem.ignoresCase(in: real, mayWrite: mayWrite))
      names =
        known.ignoresCase
        ? [] : Set(OutputClaims.names(in: real).map { OutputClaims.key($0, ignoringCase: true) })
    }
    let path = output
    let output = OutputClaims.key(
      "\(known.real)/\(output.lastName)", ignoringCase: known.ignoresCase)
    let entry = Entry(output: output, input: hash(of: input))
    let (isFirst, holder) = claimed.insert(entry)
    if isFirst {
      let isOwn = !claimedInAnyCase.insert(
        OutputClaims.key("\(known.real)/\(path.lastName)", ignoringCase: true)
      ).inserted
      let isSimilar =
        !isOwn && names.contains(OutputClaims.key(String(path.lastName), ignoringCase: true))
        && !FileSystem.exists(path)
      return isSimilar ? .similar : .first
    }
    if holder.input == entry.input { return .again }
    // Later entries are few.
    let later = Entry(output: hash(of: "\(output)", input), input: entry.input)
    return claimed.insert(later).inserted ? .taken : .again
  }
}

/// An entry of 48 bits for an output, and 16 for the photo that claimed it.
private struct Entry: Hashable {
  private let bits: UInt64

  init(output: UInt64, input: UInt64) { bits = output << 16 | input & 0xffff }

  var input: UInt64 { bits & 0xffff }

  static func == (one: Entry, other: Entry) -> Bool { one.bits >> 16 == other.bits >> 16 }

  func hash(into hasher: inout Hasher) { hasher.combine(bits >> 16) }
}

/// Returns a hash of 64 bits for texts within this process, based on their bytes: Swift treats two encodings of an
/// accent as the same text, but to the system they are two names.
func hash(of parts: String...) -> UInt64 {
  var hasher = Hasher()
  for part in parts { hasher.combine(Array(part.utf8)) }
  return UInt64(bitPattern: Int64(hasher.finalize()))
}
