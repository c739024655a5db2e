// SPDX-License-Identifier: MIT

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

  public init() {}

  public mutating func claim(_ output: String, for input: String) -> Claim {
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
