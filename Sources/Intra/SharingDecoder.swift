// SPDX-License-Identifier: MIT

public import Media
public import Threads

/// A decoder that can let others take part in a picture.
public protocol SharingDecoder: PictureDecoder {
  /// Whom the next picture is shared with.
  var idleWorkers: (any IdleWorkers)? { get set }
}
