// SPDX-License-Identifier: MIT

import ApusFiles
import ApusSamples

extension OutputOptions {
  /// Returns the path of the output; in a folder, the name of the input with the extension of the target.
  func target(for input: Input, several: Bool, pathExtension target: RemuxTarget)
    throws(UsageError) -> String
  {
    let path = try self.target(for: input, several: several)
    guard let given = self.path, given.hasSuffix("/") || FileWalk.isFolder(given) else {
      return path
    }
    return "\(path.withoutExtension).\(target.pathExtension)"
  }
}
