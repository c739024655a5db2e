// SPDX-License-Identifier: MIT

/// The result for one file of a batch, and the progress of the batch.
public struct BatchReport: Sendable {
  /// The result for the file.
  public var photo: PhotoReport
  /// Whether an earlier batch had finished the file, so that nothing was written now.
  public var isFinishedBefore: Bool
  /// The totals of the batch up to and including this file.
  public var tally: BatchTally

  public init(_ photo: PhotoReport, isFinishedBefore: Bool = false, _ tally: BatchTally) {
    self.photo = photo
    self.isFinishedBefore = isFinishedBefore
    self.tally = tally
  }
}

/// An event in a batch.
public enum BatchEvent: Sendable {
  /// A file is finished.
  case finished(BatchReport)
  /// The named movie is the video of a photo, so it is not a file of the batch.
  case companion(movie: String, photo: String)
}
