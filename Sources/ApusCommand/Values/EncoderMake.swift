// SPDX-License-Identifier: MIT

import ApusMedia
import ApusTranscode

/// The options for the make of an encoder: hardware or software.
struct EncoderMake: ArgumentGroup {
  static let heading = "Pictures"

  var require: CodecQuery.Make?
  var prefer: CodecQuery.Make?
  /// The option without which nothing is encoded.
  var needed: String?

  mutating func arguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    try v.option(
      "prefer", "MAKE", &prefer, excludes: ["require"], needs: needed,
      "make of the encoder, if this machine has one")
    try v.option(
      "require", "MAKE", &require, needs: needed,
      "make of the encoder, and no other")
  }

  func apply(to video: inout VideoSettings) {
    // One of them replaces both of a job file.
    guard require != nil || prefer != nil else { return }
    (video.required, video.preferred) = (require, prefer)
  }

  /// Returns the status that ends the command if this machine has no encoder of the required make.
  static func status(_ settings: TranscodeSettings?, _ console: Console) -> ExitStatus? {
    guard let settings, settings.video.required != nil else { return nil }
    do throws(MediaError) {
      try settings.checkEncoders()
      return nil
    } catch {
      console.fail(error.message)
      return .unavailable
    }
  }
}
