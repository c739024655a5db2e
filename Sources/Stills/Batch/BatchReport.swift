// SPDX-License-Identifier: MIT

/// What became of one file of a batch, and how far the batch is with it.
public struct BatchReport: Sendable {
  public var photo: PhotoReport
  /// Outputs that were there already and stayed.
  public var skipped: [String]
  /// Whether a batch before was done with the file, and nothing was made of it now.
  public var isFinishedBefore: Bool
  /// The files of the batch up to this one.
  public var tally: BatchTally

  public init(
    _ photo: PhotoReport, skipped: [String] = [], isFinishedBefore: Bool = false,
    _ tally: BatchTally
  ) {
    self.photo = photo
    self.skipped = skipped
    self.isFinishedBefore = isFinishedBefore
    self.tally = tally
  }
}

/// What happens in a batch.
public enum BatchEvent: Sendable {
  /// A file is done with.
  case finished(BatchReport)
  /// A movie was named that is the video of a photo, and is no file of the batch.
  case companion(movie: String, photo: String)
}
