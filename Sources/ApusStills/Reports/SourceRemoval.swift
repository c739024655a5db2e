// SPDX-License-Identifier: MIT

/// The sources to remove once their outputs exist.
public enum RemovalChoice: String, Hashable, Sendable, CaseIterable {
  /// Sources whose contents are all in the outputs, without any warning.
  case whole
  /// Sources whose picture is complete, whatever else is lost.
  case anyway
}

/// The decision to remove the source of a photo, or the result, with the reasons against it.
public struct SourceRemoval: Hashable, Sendable, Codable {
  /// A reason to keep a source.
  public enum Reason: Hashable, Sendable, Codable {
    /// The source has contents that the outputs lack.
    case holds(SourceHolding)
    /// This number of warnings was given.
    case warned(Int)
    /// No output was made, or part of the picture is missing.
    case notConverted(PhotoReport.Status)
    /// A file that this run did not write existed under the name of an output.
    case outputExisted(String)
    /// An earlier run finished the photo, and keeps or has kept the source.
    case finishedBefore
    /// The path contains this symbolic link.
    case link(String)
    /// The source is a pipe or a device, or does not exist.
    case notRegular
    /// The source was changed in the meantime.
    case changed
    /// The removal failed, for the given reason.
    case failed(String)

    /// Whether `RemovalChoice.anyway` overrides the reason. It overrides none in which the outputs might not be those
    /// of the file that would be removed.
    public var isOverridable: Bool {
      switch self {
      case .holds, .warned: true
      case .notConverted, .outputExisted, .finishedBefore, .link, .notRegular, .changed, .failed:
        false
      }
    }
  }

  /// Whether the source was removed, or would be after the conversion.
  public var isRemoved: Bool
  /// The reasons against the removal; for a source that was removed all the same, they name the losses.
  public var reasons: [Reason]

  /// Whether the removal was attempted and failed.
  public var hasFailed: Bool { reasons.contains { if case .failed = $0 { true } else { false } } }

  public init(isRemoved: Bool, reasons: [Reason] = []) {
    self.isRemoved = isRemoved
    self.reasons = reasons
  }

  /// Decides about a removal, before any file is changed.
  ///
  /// - Parameter reasons: all reasons against the removal.
  public init(_ choice: RemovalChoice, _ reasons: [Reason]) {
    let counting = choice == .anyway ? reasons.filter { !$0.isOverridable } : reasons
    self.init(isRemoved: counting.isEmpty, reasons: reasons)
  }
}

extension PhotoReport {
  /// Returns the reasons in a conversion against removing its source.
  public var reasonsToKeepSource: [SourceRemoval.Reason] {
    guard existing.isEmpty else { return existing.map { .outputExisted($0) } }
    guard status == .converted, !outputs.isEmpty else { return [.notConverted(status)] }
    // Whatever a copy is warned about is in the copy as well.
    let isWarned = !warnings.isEmpty && !isCopied
    return losses.map { .holds($0) } + (isWarned ? [.warned(warnings.count)] : [])
  }
}
