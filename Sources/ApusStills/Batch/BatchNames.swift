// SPDX-License-Identifier: MIT

internal import ApusFiles

/// The names of a batch's files, in order.
struct BatchNames: ~Copyable {
  enum Entry {
    /// A file of the batch, with its position from 1.
    case file(InputName, number: Int)
    /// A named movie that is the video of a photo, so it is not a file of the batch.
    case companion(movie: String, photo: String)
  }

  private let settings: BatchSettings
  private let outputs: BatchOutputs
  private var names: InputNames
  private var count = 0

  init(_ settings: BatchSettings, _ outputs: BatchOutputs) {
    self.settings = settings
    self.outputs = outputs
    names = InputNames(settings.inputs, except: settings.target.folder)
  }

  /// Returns the next entry, or `nil` after the last.
  mutating func next() throws(FileError) -> Entry? {
    while let name = try names.next() {
      if name.isFound, !settings.kinds.contains(name.path) { continue }
      if !name.isFound, let photo = outputs.photo(of: name) {
        return .companion(movie: name.path, photo: photo)
      }
      count += 1
      return .file(name, number: count)
    }
    return nil
  }
}
