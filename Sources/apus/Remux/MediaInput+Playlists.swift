// SPDX-License-Identifier: MIT

import Bytes
import Files
import Video

extension MediaInput.Options {
  /// The same for an input whose playlist names files beside it; standard input has none.
  func reading(_ input: Input) -> MediaInput.Options { reading(playlistAt: input.name) }

  func reading(playlistAt path: String) -> MediaInput.Options {
    guard path != "-" else { return self }
    var options = self
    let folder = FolderInput(beside: path, mayLeave: mayLeaveFolder)
    options.opener = { name throws(SyntaxError) in
      do throws(FileError) {
        return try folder.open(name)
      } catch {
        throw SyntaxError(.io, field: "", offset: 0, detail: error.description)
      }
    }
    return options
  }
}
