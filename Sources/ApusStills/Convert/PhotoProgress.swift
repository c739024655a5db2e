// SPDX-License-Identifier: MIT

internal import Synchronization

/// The progress of a photo's conversion.
public struct PhotoProgress: Hashable, Sendable {
  /// The name in the request.
  public var name: String
  /// The number of the present pass over a picture, from 1: a gain map, the brightest sample and a thumbnail take
  /// passes before the picture is encoded, and every picture of a file takes at least one.
  public var pass = 0
  /// The completed fraction of the pass, from 0 to 1.
  public var fraction = 0.0
}

/// Reports the progress of one photo in increasing values, one call at a time.
final class ProgressMeter: Sendable {
  private let body: @Sendable (PhotoProgress) -> Void
  private let state: Mutex<(progress: PhotoProgress, job: ObjectIdentifier?)>

  init(_ name: String, _ body: @escaping @Sendable (PhotoProgress) -> Void) {
    self.body = body
    state = Mutex((PhotoProgress(name: name), nil))
  }

  /// Begins a pass.
  func begin(_ job: PictureJob) {
    state.withLock { state in
      state.job = ObjectIdentifier(job)
      state.progress.pass += 1
      state.progress.fraction = 0
      body(state.progress)
    }
  }

  /// Reports completed work of a pass; work done ahead of its pass is not reported.
  func report(_ job: PictureJob) {
    let fraction = job.fraction
    state.withLock { state in
      guard state.job == ObjectIdentifier(job), fraction > state.progress.fraction else { return }
      state.progress.fraction = fraction
      body(state.progress)
    }
  }
}
