// SPDX-License-Identifier: MIT

public import Bytes
public import ISOBMFF

/// Looks at the samples of a movie's tracks while their facts are gathered, so that each track is walked once.
public protocol SampleObserver: AnyObject {
  /// A walk over a track begins, which comes after the one before in the movie.
  ///
  /// - Parameter isVideo: whether samples are looked at one by one, as pictures are.
  func begin(_ track: Track, isVideo: Bool)

  /// The samples that follow, in decoding order.
  func add(_ runs: [SampleRun])

  /// The walk over the track is over.
  ///
  /// - Parameter error: why it ends before the track does.
  func end(_ error: SyntaxError?)
}
