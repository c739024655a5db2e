// SPDX-License-Identifier: MIT

public import ApusBytes
public import ISOBMFF

/// Observes the samples of a movie's tracks while their facts are gathered, so that each track is walked only once.
public protocol SampleObserver: AnyObject {
  /// Called when the walk over a track begins; tracks come in the order of the movie.
  ///
  /// - Parameter isVideo: whether samples are passed one by one, as for pictures.
  func begin(_ track: Track, isVideo: Bool)

  /// Adds the samples that follow, in decoding order.
  func add(_ runs: [SampleRun])

  /// Called when the walk over the track ends.
  ///
  /// - Parameter error: the reason why it ends before the track does.
  func end(_ error: SyntaxError?)
}
