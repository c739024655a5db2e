// SPDX-License-Identifier: MIT

import Live

/// Who may publish and play, how many at a time, and for how long.
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
      keys of publishers and players of each stream
      SIGHUP reads the file again
      """
    )
    try v.option(
      "on-publish", "HOOK", &onPublish, completion: .files,
      "who may publish: http://HOST/PATH, https:// or a program")
    try v.option(
      "on-play", "HOOK", &onPlay, completion: .files, "asked whether a client may play")
    try v.option(
      "on-publish-done", "HOOK", &onPublishDone, completion: .files,
      "called when a client publishes no more")
    try v.option(
      "on-play-done", "HOOK", &onPlayDone, completion: .files, "called when a client plays no more")
    try v.flag(
      "take-over", &takesOver, "a publisher takes the place of one that publishes the same stream")
    try v.option("max-time", "TIME", &longest, "how long a stream may last")
    try v.option("max-per-address", "N", &perAddress, "how many connections an address may have")
    try v.option("max-players", "N", &perStream, "how many may play a stream at a time")
  }

  func admission() throws(UsageError) -> IngestAdmission {
    var admission = IngestAdmission()
    admission.takesOver = takesOver
    admission.longest = longest.map { $0.milliseconds * 1_000_000 }
    admission.perAddress = try Self.most(perAddress, "--max-per-address")
    admission.perStream = try Self.most(perStream, "--max-players")
    return admission
  }

  private static func most(_ number: UInt?, _ option: String) throws(UsageError) -> Int {
    guard let number else { return .max }
    guard number > 0 else { throw UsageError("\(option) is 1 or more") }
    return Int(clamping: number)
  }

  /// What decides about requests; `nil` where all are granted.
  var authorize: (@Sendable (IngestRequest, @escaping @Sendable (IngestVerdict) -> Void) -> Void)? {
    guard onPublish != nil || onPlay != nil else { return nil }
    return { [onPublish, onPlay] request, answer in
      guard let hook = request.purpose == .publish ? onPublish : onPlay else {
        return answer(.allowed)
      }
      hook.decide(request, answer)
    }
  }

  /// What is called when a client is done; `nil` where nothing is.
  var onDone: (@Sendable (IngestRequest, @escaping @Sendable (String?) -> Void) -> Void)? {
    guard onPublishDone != nil || onPlayDone != nil else { return nil }
    return { [onPublishDone, onPlayDone] request, answer in
      guard let hook = request.purpose == .publishDone ? onPublishDone : onPlayDone else {
        return answer(nil)
      }
      hook.decide(request) { verdict in
        // There is nothing left to decide.
        if case .denied(let reason) = verdict { answer(reason) } else { answer(nil) }
      }
    }
  }
}
