// SPDX-License-Identifier: MIT

package import ApusMedia
package import ApusThreads

/// A decoder that can share the work on a picture.
package protocol SharingDecoder: PictureDecoder {
  /// The workers that the next picture is shared with.
  var idleWorkers: (any IdleWorkers)? { get set }
}
