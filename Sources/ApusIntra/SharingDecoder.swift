// SPDX-License-Identifier: MIT

public import ApusMedia
public import ApusThreads

/// A decoder that can share the work on a picture.
public protocol SharingDecoder: PictureDecoder {
  /// The workers that the next picture is shared with.
  var idleWorkers: (any IdleWorkers)? { get set }
}
