// SPDX-License-Identifier: MIT

import Bytes
import Files
import Flow
import Media
import Synchronization
import Transcode

/// A job that another run can go on with when this one is killed: keeps the record beside the part, and finds what was
/// left.
final class ResumableJob: Sendable {
  private let input: String
  private let settings: TranscodeSettings
  private let target: RemuxTarget
  /// The part that has a record.
  private let part = Mutex<String?>(nil)
  /// Called where the record cannot be kept.
  private let warn: @Sendable (String) -> Void

  /// Returns `nil` where there is nothing to continue.
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

  /// What a run of the same job left; `nil` where there is nothing of it.
  func kept(of path: String, limits: Limits) throws -> KeptPart? {
    let part = path + ".part"
    // A run that was killed before its first pictures.
    if FileIdentity(part)?.size == 0 { removeFile(part) }
    guard FileSystem.exists(part), let record = try JobRecord(of: part),
      let own = try JobRecord(input, settings, target, origin: record.origin)
    else { return nil }
    if let difference = record.difference(from: own) {
      throw FileError(
        "go on with", part,
        reason:
          "it belongs to another job: \(difference); take the same input and settings, or begin "
          + "anew without --resume")
    }
    return try KeptPart(part, origin: record.origin, limits: limits)
  }

  /// Others may go on with a part from now on.
  func begin(_ path: String, _ origin: RationalTime) throws {
    guard let record = try JobRecord(input, settings, target, origin: origin) else { return }
    guard try record.write(beside: path) else {
      let place = JobRecord.path(of: path)
      return warn(
        "\(place) is someone else's file and stays, so --resume cannot go on with this run")
    }
    part.withLock { $0 = path }
  }

  /// All is done, so that no later run has to go on.
  func end() {
    guard let path = part.withLock({ $0 }) else { return }
    removeFile(JobRecord.path(of: path))
  }
}

extension RemuxTarget {
  /// Whether what was coded lies in a part until the end.
  var hasPart: Bool { self == .mp4 || self == .mov || self == .hls }
}
