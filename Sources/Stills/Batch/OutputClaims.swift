// SPDX-License-Identifier: MIT

internal import Files

/// Which outputs a run has begun, so that no photo takes the place of another's: `a.heic` and `a.HEIC` both
/// become `a.jpg`. Held as hashes, so that a run of 100,000 photos needs few megabytes.
public struct OutputClaims: Sendable {
  public enum Claim: Hashable, Sendable {
    case first
    /// The same photo has it already.
    case again
    /// Another photo has it already.
    case taken
  }

  private var claimed: Set<UInt64> = []
  /// The folder of the last output as it was named, and the one that it leads to.
  private var known = (named: "", real: "")

  public init() {}

  /// - Parameter output: a path in any spelling: a folder is the same by whatever links it is reached.
  public mutating func claim(_ output: String, for input: String) -> Claim {
    let place = output.lastIndex(of: "/")
    let named = place.map { String(output[...$0]) } ?? "./"
    if known.named != named { known = (named, realFolder(named)) }
    let name = place.map { String(output[$0...].dropFirst()) } ?? output
    let output = "\(known.real)/\(name)"
    let isFirst = claimed.insert(hash(of: output)).inserted
    if claimed.insert(hash(of: output, input)).inserted { return isFirst ? .first : .taken }
    return .again
  }
}

/// 64 bits that stand for texts within this process.
func hash(of parts: String...) -> UInt64 {
  var hasher = Hasher()
  for part in parts { hasher.combine(part) }
  return UInt64(bitPattern: Int64(hasher.finalize()))
}
