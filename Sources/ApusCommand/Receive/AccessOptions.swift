// SPDX-License-Identifier: MIT

import ApusLive

/// Rules for publishers and players: keys, hooks and limits.
struct AccessOptions: ArgumentGroup {
  static let heading = "Access"

  var keys: String?
  var onPublish: Hook?
  var onPlay: Hook?
  var onPublishDone: Hook?
  var onPlayDone: Hook?
  var takesOver = false
  var longest: MediaTime?
  var perAddress: UInt?
  var perStream: UInt?

  mutating func arguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    try v.option(
      "keys", "FILE", &keys, completion: .files,
      """
      file with the keys of each stream
      SIGHUP reads it again
      """
    )
    try v.option(
      "on-publish", "HOOK", &onPublish, completion: .files,
      "http(s):// URL or program that decides who may publish")
    try v.option(
      "on-play", "HOOK", &onPlay, completion: .files, "URL or program that decides who may play")
    try v.option(
      "on-publish-done", "HOOK", &onPublishDone, completion: .files,
      "URL or program to call when a client stops publishing")
    try v.option(
      "on-play-done", "HOOK", &onPlayDone, completion: .files,
      "URL or program to call when a client stops playing")
    try v.flag(
      "take-over", &takesOver, "let a new publisher of a stream replace the current one")
    try v.option("max-time", "TIME", &longest, "maximum duration of a stream")
    try v.option("max-per-address", "N", &perAddress, "maximum number of connections per address")
    try v.option("max-players", "N", &perStream, "maximum number of players per stream")
  }

  func admission() throws(UsageError) -> IngestAdmission {
    var admission = IngestAdmission()
    admission.takesOver = takesOver
    admission.longest = longest.map { .milliseconds($0.milliseconds) }
    admission.perAddress = try Self.most(perAddress, "--max-per-address")
    admission.perStream = try Self.most(perStream, "--max-players")
    return admission
  }

  private static func most(_ number: UInt?, _ option: String) throws(UsageError) -> Int {
    guard let number else { return .max }
    guard number > 0 else { throw UsageError("\(option) must be 1 or more") }
    return Int(clamping: number)
  }

  /// Decides on requests; `nil` if all are granted.
  var authorize: (@Sendable (IngestRequest) async -> IngestVerdict)? {
    guard onPublish != nil || onPlay != nil else { return nil }
    return { [onPublish, onPlay] request in
      await (request.purpose == .publish ? onPublish : onPlay)?.verdict(on: request) ?? .allowed
    }
  }

  /// Called when a client is done; `nil` if there is nothing to call.
  var onDone: (@Sendable (IngestRequest) async -> String?)? {
    guard onPublishDone != nil || onPlayDone != nil else { return nil }
    return { [onPublishDone, onPlayDone] request in
      let hook = request.purpose == .publishDone ? onPublishDone : onPlayDone
      // The client is gone, so only a failure matters.
      guard case .denied(let reason)? = await hook?.verdict(on: request) else { return nil }
      return reason
    }
  }
}
