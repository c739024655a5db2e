// SPDX-License-Identifier: MIT

public import ApusFiles

/// The file of a photo that may be removed once its outputs exist.
public struct SourceFile: Sendable {
  /// The path of the file; `-` for standard input.
  public let path: String
  /// The file as it was when the conversion began; `nil` if there was none.
  public let file: FileIdentity?

  public init(_ path: String, _ file: FileIdentity?) {
    self.path = path
    self.file = file
  }

  /// The reasons against removal that concern the file itself. Through a symbolic link, a file other than the named one
  /// would be removed, or the link instead of the file.
  public var reasonsToKeep: [SourceRemoval.Reason] {
    guard let file, file.isRegular, path != "-" else { return [.notRegular] }
    if let link = FileSystem.link(in: path) { return [.link(link)] }
    guard let now = FileIdentity(path), now.isUnchanged(since: file) else { return [.changed] }
    return []
  }

  /// Returns extended attributes, such as tags, that the file system of the outputs did not accept.
  private func attributesLost(in report: PhotoReport) -> [SourceRemoval.Reason] {
    let names = report.outputs.first.map { FileAttributes(of: path).missing(in: $0.path) } ?? []
    return names.isEmpty
      ? [] : [.holds(SourceHolding(.attributes, count: names.count, names: names))]
  }

  /// Removes the file unless there is a reason against it that the choice does not override.
  public func remove(_ choice: RemovalChoice, after report: PhotoReport) -> SourceRemoval {
    let found = report.reasonsToKeepSource
    var removal = SourceRemoval(choice, found)
    // A source without outputs is not examined.
    guard removal.isRemoved else { return removal }
    removal = SourceRemoval(choice, found + attributesLost(in: report) + reasonsToKeep)
    guard removal.isRemoved else { return removal }
    do throws(FileError) {
      // A power failure must not lose the photo while its output has no name yet.
      for output in report.outputs { try syncFolder(of: output.path) }
      try FileSystem.remove(path)
    } catch {
      removal.isRemoved = false
      removal.reasons.append(.failed(error.description))
    }
    return removal
  }
}
