// SPDX-License-Identifier: MIT

internal import Bytes

/// Gathers what `onMetaData` says about the tags after it: the length in time and bytes, and where the key
/// frames are.
struct KeyFrameIndex: Sendable {
  /// Where each key frame begins, counted from the end of the metadata, and its time.
  private var keys: [(position: Int, time: Int64)] = []
  private var size = 0
  private var video = Run()
  private var audio = Run()

  /// How far the frames of one media have come.
  private struct Run {
    var end: Int64 = 0
    var last: Int64?
    var step: Int64 = 0

    mutating func add(_ change: TagChanger.Change) {
      end = max(end, change.presentation)
      if let last, change.time > last { step = change.time - last }
      last = change.time
    }
  }

  /// Beyond this the index is thinned out: a tag holds no more than 16 MiB.
  private static let most = 400_000

  init() {}

  var hasVideo: Bool { video.last != nil }
  var hasAudio: Bool { audio.last != nil }

  /// Milliseconds from 0 to the end of the last frame.
  var duration: Int64 { max(video.end + video.step, audio.end + audio.step) }

  mutating func add(_ type: TagType, _ change: TagChanger.Change, size: Int) {
    if change.isKey { keys.append((self.size, change.time)) }
    self.size += TagHeader.size + size + 4
    if type == .video { video.add(change) }
    if type == .audio { audio.add(change) }
  }

  /// The message, its members kept but for those that are known better.
  func metadata(
    _ message: AMFMessage, codecID: Double?, isIndexed: Bool, limits: Limits
  ) throws(SyntaxError) -> AMFMessage {
    var object = message.metadata ?? AMFObject()
    object["duration"] = .number(Double(duration) / 1000)
    if let codecID { object["videocodecid"] = .number(codecID) }
    object["filesize"] = 0.0
    object["keyframes"] = nil
    guard isIndexed else { return try settled(message, &object) }
    let stride = keys.count / Self.most + 1
    let kept = keys.indices.filter { $0 % stride == 0 }.map { keys[$0] }
    guard !kept.isEmpty else { return try settled(message, &object) }
    object["keyframes"] = .object([
      ("filepositions", .strictArray(kept.map { _ in 0.0 })),
      ("times", .strictArray(kept.map { .number(Double($0.time) / 1000) })),
    ])
    let start = try start(of: message, object)
    object["keyframes"] = .object([
      ("filepositions", .strictArray(kept.map { .number(Double(start + $0.position)) })),
      ("times", .strictArray(kept.map { .number(Double($0.time) / 1000) })),
    ])
    return try settled(message, &object)
  }

  /// With the size of the file, which is as long whatever it is.
  private func settled(_ message: AMFMessage, _ object: inout AMFObject) throws(SyntaxError)
    -> AMFMessage
  {
    object["filesize"] = .number(Double(try start(of: message, object) + size))
    return message.replacing(object)
  }

  /// Where the tags after the metadata begin.
  private func start(of message: AMFMessage, _ object: AMFObject) throws(SyntaxError) -> Int {
    FLVHeader.size + 4 + TagHeader.size + 4 + (try message.replacing(object).bytes().count)
  }
}
