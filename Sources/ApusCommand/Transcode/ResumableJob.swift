// SPDX-License-Identifier: MIT

import ApusBytes
import ApusFiles
import ApusMedia
import ApusSamples
import ApusTranscode
import Synchronization

/// A job that another run can continue if this one is killed: writes the record next to the part, and finds what an
/// earlier run left.
final class ResumableJob: Sendable {
  private let input: String
  private let settings: TranscodeSettings
  private let target: RemuxTarget
  /// The part that has a record.
  private let part = Mutex<String?>(nil)
  /// Called if the record cannot be written.
  private let warn: @Sendable (String) -> Void

  /// Returns `nil` if such a job could not be continued.
  init?(
    _ input: String, _ settings: TranscodeSettings, _ target: RemuxTarget,
    warn: @escaping @Sendable (String) -> Void
  ) {
    guard input != "-", target.hasPart, settings.video.passes == 1,
      settings.video.codecs.first != .copy
    else { return nil }
    self.input = input
    self.settings = settings
    self.target = target
    self.warn = warn
  }

  /// Returns the part that an earlier run of the same job left, or `nil` if there is none.
  func kept(of path: String, limits: Limits) throws -> KeptPart? {
    let part = path + ".part"
    // A run that was killed before its first pictures.
    if FileIdentity(part)?.size == 0 { removeFile(part) }
    guard FileSystem.exists(part), let record = try JobRecord(of: part),
      let own = try JobRecord(input, settings, target, origin: record.origin)
    else { return nil }
    if let difference = record.difference(from: own) {
      throw FileError(
        "continue", part,
        reason:
          "it belongs to another job: \(difference); use the same input and settings, or start "
          + "over without --resume")
    }
    guard FileIdentity.isOwn(part) else {
      throw FileError("go on with", part, reason: "it is not a plain file of this user")
    }
    return try KeptPart(part, origin: record.origin, limits: limits)
  }

  /// Writes the record, so that later runs can continue the part.
  func begin(_ path: String, _ origin: RationalTime) throws {
    guard let record = try JobRecord(input, settings, target, origin: origin) else { return }
    guard try record.write(beside: path) else {
      let place = JobRecord.path(of: path)
      return warn(
        "\(place) exists and is not a job record, so --resume will not be able to continue this run"
      )
    }
    part.withLock { $0 = path }
  }

  /// Removes the record when the job is done.
  func end() {
    guard let path = part.withLock({ $0 }) else { return }
    removeFile(JobRecord.path(of: path))
  }
}

extension RemuxTarget {
  /// Whether the output is a part until the end.
  var hasPart: Bool { self == .mp4 || self == .mov || self == .hls }
}
