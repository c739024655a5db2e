// SPDX-License-Identifier: MIT

public import Media
public import Threads

/// A decoder that can share the work on a picture.
public protocol SharingDecoder: PictureDecoder {
  /// The workers that the next picture is shared with.
  var idleWorkers: (any IdleWorkers)? { get set }
}
