// SPDX-License-Identifier: MIT

internal import ApusFiles
internal import ApusMedia

/// The reasons why a path cannot be an output of a run.
extension MediaError {
  init(taken path: String) {
    self.init(
      .misuse, "\(path) is the output of another file of this run", remedy: .otherName)
  }

  init(_ existing: String, isSimilarTo path: String) {
    self.init(
      .misuse, "\(existing) exists, and its name differs from \(path) only in case",
      remedy: .otherName)
  }

  init(input path: String) {
    self.init(.misuse, InputFiles.refusal(of: path).description)
  }
}
