// SPDX-License-Identifier: MIT

import ApusFiles
import ApusStills

/// The folders and files that a confined process may open for its photos; those of one folder have the same.
struct ReachableFiles: Hashable, Sendable {
  /// Those that it may read.
  private(set) var read: Set<String> = []
  /// Those that it may also change.
  private(set) var changed: Set<String> = []

  /// - Parameter target: the destination of what is made of the photo.
  init(_ item: BatchItem, _ target: BatchTarget) {
    let path = item.name.path
    if path != "-" { read.formUnion(FileSystem.folders(around: path)) }
    // The output of an interrupted run is compared with a new one, which is kept in a temporary file.
    if item.file?.isRegular != true || item.wasCutShort {
      changed.insert(FileSystem.temporaryFolder)
    }
    let output = target.path(.primary, of: item)
    switch target.place {
    case .folder(let folder): changed.insert(folder)
    case .pipe: changed.insert(FileSystem.temporaryFolder)
    case .beside, .file: break
    }
    guard output != "-" else { return }
    let isOther = FileIdentity(output).map { !$0.isRegular } ?? false
    changed.formUnion(isOther ? [output] : FileSystem.folders(around: output))
    // Everything in a folder of outputs is one place, at any depth.
    if case .folder(let folder) = target.place {
      changed = changed.filter { $0 == folder || !$0.hasPrefix(folder + "/") }
    }
  }
}
