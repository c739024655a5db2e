// SPDX-License-Identifier: MIT

public import Files

/// The file of a photo that may be removed once its outputs are there.
public struct SourceFile: Sendable {
  public let path: String
  /// The file as it was when the conversion began; `nil` where there was none.
  public let file: FileIdentity?

  public init(_ path: String, _ file: FileIdentity?) {
    self.path = path
    self.file = file
  }

  /// What of the file itself speaks against its removal. Through a symbolic link another file would go than the one that
  /// was named, or the link would and not the file.
  public var reasonsToKeep: [SourceRemoval.Reason] {
    guard let file, file.isRegular, path != "-" else { return [.notRegular] }
    if let link = FileSystem.link(in: path) { return [.link(link)] }
    guard let now = FileIdentity(path), now.isUnchanged(since: file) else { return [.changed] }
    return []
  }

  /// Tags and the like that the file system of the outputs did not take.
  private func attributesLost(in report: PhotoReport) -> [SourceRemoval.Reason] {
    let names = report.outputs.first.map { FileAttributes(of: path).missing(in: $0.path) } ?? []
    return names.isEmpty
      ? [] : [.holds(SourceHolding(.attributes, count: names.count, names: names))]
  }

  /// Removes the file where nothing that counts speaks against it.
  public func remove(
    _ choice: RemovalChoice, after report: PhotoReport, existing: [String]
  ) -> SourceRemoval {
    let found = report.reasonsToKeepSource(existing: existing)
    var removal = SourceRemoval(choice, found)
    // What no output was made of is not looked at.
    guard removal.isRemoved else { return removal }
    removal = SourceRemoval(choice, found + attributesLost(in: report) + reasonsToKeep)
    guard removal.isRemoved else { return removal }
    do throws(FileError) {
      // A power cut must not take the photo and leave its output without a name.
      for output in report.outputs { try syncFolder(of: output.path) }
      try FileSystem.remove(path)
    } catch {
      removal.isRemoved = false
      removal.reasons.append(.failed(error.description))
    }
    return removal
  }
}
