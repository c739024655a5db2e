// SPDX-License-Identifier: MIT

internal import Files
internal import Synchronization

/// Which outputs a run has begun, so that no photo takes the place of another's: `a.heic` and `a.HEIC` both
/// become `a.jpg`, and to some file systems `A.jpg` is the same file. Held as hashes, so that a run of 100,000 photos needs four
/// megabytes.
public final class OutputClaims: Sendable {
  public enum Claim: Hashable, Sendable, CaseIterable {
    case first
    /// The same photo has it already.
    case again
    /// Another photo has it already.
    case taken
    /// It is a file that the run reads, which is never written over.
    case input
    /// A file is there that was there before, whose name differs in the case of letters alone: on most shares and on other
    /// systems one of the two would hide the other.
    case similar
  }

  fileprivate struct State {
    var claimed: Set<Entry> = []
    /// The claimed outputs, whatever the case of their letters.
    var claimedInAnyCase: Set<UInt64> = []
    /// The folder of the last output as it was named, the one that it leads to, and whether case counts in its names.
    var known = (named: "", real: "", ignoresCase: false)
    /// The names in that folder in any case, where it counts.
    var names: Set<UInt64> = []
  }

  private let state = Mutex(State())
  /// The files that the run reads, as far as outputs of these names would not be passed over in any case.
  private let inputs: InputFiles?
  private let mayWrite: Bool

  /// - Parameter mayWrite: whether a hidden file may be made for a moment to find out how a file system compares names.
  init(except inputs: InputFiles? = nil, mayWrite: Bool = true) {
    self.inputs = inputs
    self.mayWrite = mayWrite
  }

  /// - Parameter output: a path in any spelling: a folder is the same by whatever links it is reached.
  func claim(_ output: String, for input: String) -> Claim {
    if inputs?.contains(output) == true { return .input }
    return state.withLock { $0.claim(output, for: input, mayWrite: mayWrite) }
  }

  /// The file whose name differs from that of an output in the case of letters alone.
  static func file(similarTo output: String) -> String? {
    let folder = String(output.folderPrefix)
    let own = key(String(output.lastName), ignoringCase: true)
    return names(in: folder.isEmpty ? "./" : folder).first { key($0, ignoringCase: true) == own }
      .map { folder + $0 }
  }

  /// The names in a folder; none in one that cannot be read, or is not there yet.
  fileprivate static func names(in folder: String) -> [String] {
    (try? FileWalk.names(in: folder)) ?? []
  }

  /// What stands for an output. Most file systems that ignore case take the spellings of an accent for one name as well,
  /// which is how Swift compares texts.
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
    // Those that come later are few.
    let later = Entry(output: hash(of: "\(output)", input), input: entry.input)
    return claimed.insert(later).inserted ? .taken : .again
  }
}

/// 48 bits that stand for an output, and 16 for the photo that has it.
private struct Entry: Hashable {
  private let bits: UInt64

  init(output: UInt64, input: UInt64) { bits = output << 16 | input & 0xffff }

  var input: UInt64 { bits & 0xffff }

  static func == (one: Entry, other: Entry) -> Bool { one.bits >> 16 == other.bits >> 16 }

  func hash(into hasher: inout Hasher) { hasher.combine(bits >> 16) }
}

/// 64 bits that stand for texts within this process, by their bytes: to Swift two spellings of an accent are the same
/// text, to the system they are two names.
func hash(of parts: String...) -> UInt64 {
  var hasher = Hasher()
  for part in parts { hasher.combine(Array(part.utf8)) }
  return UInt64(bitPattern: Int64(hasher.finalize()))
}
