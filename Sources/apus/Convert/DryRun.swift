// SPDX-License-Identifier: MIT

import Files
import Stills

/// What `--dry-run` prints where there is no plan to be shown: which file each photo would be written to.
struct DryRun {
  private let settings: ConvertSettings

  init(_ settings: ConvertSettings) { self.settings = settings }

  func print(on console: Console) throws -> ExitStatus {
    var shown = 0
    var names = InputNames(settings.inputs)
    while true {
      do throws(FileError) {
        guard let name = try names.next() else { break }
        guard !name.isFound || settings.kinds.contains(name.path) else { continue }
        try console.print("\(name.path): \(settings.target.path(.primary, of: name))")
        shown += 1
      } catch {
        console.fail(error.description)
      }
    }
    return shown > 0 ? .done : .nothingToDo
  }
}
