// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusContainers
internal import ApusFiles
internal import ApusMedia
internal import ApusSamples
internal import FLV
internal import RTMP

/// A stream on its way into a file that can be played at any moment, however the process ends.
///
/// FLV gets the tags as they come, MP4 is written in fragments; `FinishedRecording` makes a plain file of it after the
/// stream has ended.
struct Recording: ~Copyable {
  let file: GrowingFile
  let target: RemuxTarget
  /// The number of frames received.
  private(set) var frames = 0
  private var samples = LiveSamples()
  /// The writer, which is one of these three; the last two are set when the tracks are known.
  private var tags: TagRecorder<DescriptorWriter>?
  private var fragments: FragmentedMovieOutput<DescriptorWriter>?
  private var stream: AnnexBOutput<DescriptorWriter>?
  private var tracks: LiveTracks?

  init(_ file: GrowingFile, as target: RemuxTarget) throws {
    self.file = file
    self.target = target
    if target == .flv { tags = try TagRecorder(to: file.writer) }
  }

  /// The size of the file, including bytes that were not passed to the system yet.
  var size: Int { file.writer.count }

  /// The size that everyone sees.
  var visibleSize: Int { size - file.writer.gathered.count }

  /// The parts of the stream that are left out, as text.
  var warnings: [String] {
    var words = samples.refused.map { "\($0) is left out" }
    words += (tracks?.refused ?? []).map { "left out: \($0)" }
    words += samples.doubts
    if samples.hasADTS || tags?.hasADTS == true { words.append(FLVTracks.adtsWarning) }
    if samples.undecodable > 0 {
      words.append("\(samples.undecodable) frames without a configuration are left out")
    }
    if samples.passedOver > 0 {
      words.append("\(samples.passedOver) frames of tracks that began too late are left out")
    }
    return words
  }

  mutating func add(_ tag: ReceivedTag) throws {
    if tag.type.isMedia { frames += 1 }
    if target == .flv { try tags?.add(tag) } else { try write(samples.add(tag)) }
  }

  /// Passes buffered bytes to the system. Once there are any, the file replaces an existing one.
  func flush() throws(FileError) {
    try file.writer.flush()
    if holdsSomething { try file.appear() }
  }

  /// Whether anything of the stream is in the file; on a full disk that may be false.
  var holdsSomething: Bool { frames > 0 && size > 0 && !file.isEmpty }

  /// Ends the recording.
  mutating func end() throws {
    guard target != .flv else { return }
    try write(samples.begin())
    try fragments?.finish()
    try stream?.finish()
  }

  private mutating func write(_ events: [SourceEvent]) throws {
    guard !events.isEmpty else { return }
    if tracks == nil { try begin(with: events) }
    guard let tracks else { return }
    for event in events {
      guard let event = try tracks.event(event) else { continue }
      try fragments?.add(event)
      try stream?.add(event)
    }
  }

  private mutating func begin(with events: [SourceEvent]) throws {
    let tracks = LiveTracks(samples.tracks, as: target, beginningWith: events)
    guard !tracks.tracks.isEmpty else {
      throw MediaError(
        .unsupported, of: .part("stream"),
        "has nothing that \(target.rawValue) can hold: "
          + tracks.refused.joined(separator: "; "))
    }
    if target == .hevc {
      stream = try AnnexBOutput(tracks.tracks, to: file.writer)
    } else {
      fragments = try FragmentedMovieOutput(tracks.tracks, to: file.writer)
    }
    self.tracks = tracks
  }
}
