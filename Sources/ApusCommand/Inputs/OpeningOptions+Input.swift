// SPDX-License-Identifier: MIT

import ApusBytes
import ApusFiles
import ApusForeign
import ApusPresentations
import ApusSamples

extension OpeningOptions {
  /// Options for an input of any kind, which may be a playlist that names other files; standard input may not.
  func reading(_ input: Input, mayLeaveFolder: Bool = false) -> OpeningOptions {
    var options = self
    if let downloaded = input.source as? DownloadedInput {
      options.openers = downloaded.openers
    } else if input.source is NetworkInput {
      options.openers = [NetworkOpener()]
    } else {
      return reading(playlistAt: input.name, mayLeaveFolder: mayLeaveFolder, input.files)
    }
    return options
  }

  /// - Parameters:
  ///   - mayLeaveFolder: whether playlists may name files outside their folder.
  ///   - files: collects the files that the playlist names.
  func reading(
    playlistAt path: String, mayLeaveFolder: Bool = false, _ files: InputFiles = InputFiles()
  ) -> OpeningOptions {
    var options = self
    options.openers = [ForeignOpener()]
    guard path != "-" else { return options }
    let folder = FolderInput(beside: path, mayLeave: mayLeaveFolder, inputs: files)
    options.openers.append(
      PlaylistOpener(mayLeaveFolder: mayLeaveFolder) { try folder.open($0) })
    return options
  }
}
