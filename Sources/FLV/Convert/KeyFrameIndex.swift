// SPDX-License-Identifier: MIT

public import ApusBytes

/// Collects the values that `onMetaData` contains about the tags after it: the duration, the size, and the places of
/// the key frames.
public struct KeyFrameIndex: Sendable {
  /// The offset of each key frame from the end of the metadata, and its time.
  private var keys: [(position: Int, time: Int64)] = []
  private var size = 0
  private var video = Run()
  private var audio = Run()

  /// The progress of the frames of one medium.
  private struct Run {
    var start: Int64?
    var end: Int64 = 0
    var last: Int64?
    var step: Int64 = 0

    mutating func add(_ time: Int64, shownAt presentation: Int64, isFrame: Bool) {
      if isFrame { start = min(start ?? presentation, presentation) }
      end = max(end, presentation)
      if let last, time > last { step = time - last }
      last = time
    }
  }

  /// The number of entries above which the index is thinned out: a tag holds no more than 16 MiB.
  private static let most = 400_000

  /// Creates an index without frames.
  public init() {}

  var hasVideo: Bool { video.last != nil }
  var hasAudio: Bool { audio.last != nil }

  /// Milliseconds to the end of the last frame: from 0, as FFmpeg counts them, or from the first frame if that is later
  /// than a second, as in a recording of a stream that has run for long.
  public var duration: Int64 {
    let start = [video.start, audio.start].compactMap(\.self).min() ?? 0
    return max(video.end + video.step, audio.end + audio.step) - (start > 1000 ? start : 0)
  }

  mutating func add(_ type: TagType, _ change: TagChanger.Change, size: Int) {
    add(
      type, at: change.time, shownAt: change.presentation, isKey: change.isKey,
      isFrame: change.isFrame, size: size)
  }

  /// Adds a tag that is written after the metadata; `time` and `presentation` are in milliseconds.
  public mutating func add(_ tag: OutgoingTag, shownAt presentation: Int64) {
    add(
      tag.type, at: tag.time, shownAt: presentation, isKey: tag.isKey, isFrame: !tag.isSetup,
      size: tag.count)
  }

  private mutating func add(
    _ type: TagType, at time: Int64, shownAt presentation: Int64, isKey: Bool, isFrame: Bool,
    size: Int
  ) {
    if isKey { keys.append((self.size, time)) }
    self.size += TagHeader.size + size + 4
    if type == .video { video.add(time, shownAt: presentation, isFrame: isFrame) }
    if type == .audio { audio.add(time, shownAt: presentation, isFrame: isFrame) }
  }

  /// Returns the message with its members, of which the measured ones are replaced.
  public func metadata(
    _ message: AMFMessage, codecID: Double? = nil, isIndexed: Bool = true,
    limits: Limits = Limits()
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

  /// Returns the message with the size of the file, a number of constant length.
  private func settled(_ message: AMFMessage, _ object: inout AMFObject) throws(SyntaxError)
    -> AMFMessage
  {
    object["filesize"] = .number(Double(try start(of: message, object) + size))
    return message.replacing(object)
  }

  /// Returns the offset at which the tags after the metadata begin.
  private func start(of message: AMFMessage, _ object: AMFObject) throws(SyntaxError) -> Int {
    FLVHeader.size + 4 + TagHeader.size + 4 + (try message.replacing(object).bytes().count)
  }
}
