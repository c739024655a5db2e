// SPDX-License-Identifier: MIT

/// Which sources are removed once their outputs are there.
public enum RemovalChoice: String, Hashable, Sendable, CaseIterable {
  /// Sources of which everything is in the outputs, and about which there was no warning.
  case whole
  /// Sources whose picture is whole, whatever else is lost.
  case anyway
}

/// Whether the source of a photo was removed, or would be, and what speaks against that.
public struct SourceRemoval: Hashable, Sendable {
  /// Something that keeps a source.
  public enum Reason: Hashable, Sendable {
    /// It holds something that is not in the outputs.
    case holds(SourceHolding)
    /// So many warnings were given for it.
    case warned(Int)
    /// No output was made of it, or part of the picture is missing.
    case notConverted(PhotoReport.Status)
    /// A file that this run did not write stood where an output would have gone.
    case outputExisted(String)
    /// A run before was done with it, and keeps or has kept it.
    case finishedBefore
    /// Its path goes through this symbolic link.
    case link(String)
    /// It is a pipe or a device, or not there at all.
    case notRegular
    /// It was written to meanwhile.
    case changed
    /// It could not be removed, and why.
    case failed(String)

    /// Whether `RemovalChoice.anyway` goes past it. Nothing goes past what might make the outputs others than those of
    /// the file that would be removed.
    public var isOverridable: Bool {
      switch self {
      case .holds, .warned: true
      case .notConverted, .outputExisted, .finishedBefore, .link, .notRegular, .changed, .failed:
        false
      }
    }
  }

  public var isRemoved: Bool
  /// What speaks against it. For a source that was removed all the same they say what is gone.
  public var reasons: [Reason]

  /// Whether it was to be removed, and the system refused that.
  public var hasFailed: Bool { reasons.contains { if case .failed = $0 { true } else { false } } }

  public init(isRemoved: Bool, reasons: [Reason] = []) {
    self.isRemoved = isRemoved
    self.reasons = reasons
  }

  /// What is decided before anything is touched.
  ///
  /// - Parameter reasons: everything that speaks against the removal.
  public init(_ choice: RemovalChoice, _ reasons: [Reason]) {
    let counting = choice == .anyway ? reasons.filter { !$0.isOverridable } : reasons
    self.init(isRemoved: counting.isEmpty, reasons: reasons)
  }
}

extension PhotoReport {
  /// What of a conversion speaks against removing its source.
  ///
  /// - Parameter existing: outputs that were there before and stayed.
  public func reasonsToKeepSource(existing: [String]) -> [SourceRemoval.Reason] {
    guard existing.isEmpty else { return existing.map { .outputExisted($0) } }
    guard status == .converted, !outputs.isEmpty else { return [.notConverted(status)] }
    // What a copy is warned of is in the copy, too.
    let isWarned = !warnings.isEmpty && !isCopied
    return losses.map { .holds($0) } + (isWarned ? [.warned(warnings.count)] : [])
  }
}
