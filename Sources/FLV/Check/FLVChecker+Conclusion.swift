// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import HEVC

/// The checks that need the whole file.
extension FLVChecker {
  mutating func conclude(_ header: FLVHeader) {
    let video = facts.tracks.filter(\.isVideo)
    let audio = facts.tracks.filter { !$0.isVideo }
    if header.hasVideo != !video.isEmpty || header.hasAudio != !audio.isEmpty {
      add(
        .headerFlags, at: 4,
        "the header says \(Self.words(header.hasVideo, header.hasAudio)), but the file has \(Self.words(!video.isEmpty, !audio.isEmpty))"
      )
    }
    let forms = Set(video.filter { $0.codec == .hevc }.map(\.form))
    if forms.count > 1 {
      add(.dialectMixed, at: 0, "HEVC is in both the enhanced and the legacy dialect")
    } else if forms == [.legacy] {
      add(.dialectLegacy, at: 0, "HEVC has the codec id 12")
    }
    for track in video {
      if track.keyFrames > 0 { keyFrames(track) }
      let span = track.last - (track.first ?? 0)
      if span >= 2000, track.bytes * 8 / Int(span) > 51_000 {
        add(.bitRate, at: 0, "pictures take \(track.bytes * 8 / Int(span) / 1000) Mbit/s")
      }
      guard track.codec == .hevc, track.form == .enhanced, !colouredTracks.contains(track.id),
        let record = records.first?.record, ColorInfo(StreamHeaders(record)) != nil
      else { continue }
      add(.colours, at: 0, "the pictures have colours of their own, and there is no colorInfo")
    }
    ends(video, audio)
    metadata(video, audio)
  }

  private static func words(_ hasVideo: Bool, _ hasAudio: Bool) -> String {
    switch (hasVideo, hasAudio) {
    case (true, true): "pictures and sound"
    case (true, false): "pictures alone"
    case (false, true): "sound alone"
    case (false, false): "neither pictures nor sound"
    }
  }

  private mutating func keyFrames(_ track: FLVFacts.Track) {
    let tail = track.last - (track.lastKey ?? track.first ?? 0)
    let longest = max(track.longestKeyInterval, tail)
    guard longest > 2100 else { return }
    add(
      .keyInterval, at: 0, as: longest > 4000 ? nil : .note,
      "up to \(longest) ms lie between two key frames")
  }

  private mutating func ends(_ video: [FLVFacts.Track], _ audio: [FLVFacts.Track]) {
    guard let picture = video.first(where: { $0.frames > 0 }),
      let sound = audio.first(where: { $0.frames > 0 }), let first = picture.first,
      let other = sound.first
    else { return }
    if (first - other).magnitude > 500 {
      add(.avEnds, at: 0, "pictures begin at \(first) ms, sound at \(other) ms")
    } else if (picture.last - sound.last).magnitude > 1000 {
      add(.avEnds, at: 0, "pictures end at \(picture.last) ms, sound at \(sound.last) ms")
    }
  }

  private mutating func metadata(_ video: [FLVFacts.Track], _ audio: [FLVFacts.Track]) {
    guard let metadata = facts.metadata else {
      return add(.metadataMissing, at: 0, "there is no onMetaData")
    }
    if let track = video.first, let said = metadata["videocodecid"]?.number {
      let expected = Self.codecID(track.codec, track.form)
      if let expected, said != expected {
        add(
          .codecID, at: 0,
          "videocodecid is \(said.decimal(places: 0...3)), the tags are \(track.codec) (\(expected.decimal(places: 0...3)))"
        )
      }
    }
    if let track = audio.first, let said = metadata["audiocodecid"]?.number {
      let expected = Self.codecID(track.codec, track.form)
      if let expected, said != expected, !(track.codec == .aac && said == 10) {
        add(
          .codecID, at: 0,
          "audiocodecid is \(said.decimal(places: 0...3)), the tags are \(track.codec) (\(expected.decimal(places: 0...3)))"
        )
      }
    }
    let duration = Double(facts.duration) / 1000
    if let said = metadata["duration"]?.number, !(abs(said - duration) <= 1 + duration / 50) {
      add(
        .metadataDuration, at: 0,
        "duration is \(said.decimal(places: 0...3)) s, the frames span \(duration.decimal(places: 0...3)) s"
      )
    }
    pictureSize(metadata)
    index()
  }

  private mutating func pictureSize(_ metadata: AMFObject) {
    guard let record = records.first?.record,
      let size = StreamHeaders(record).baseSequences.first?.displaySize,
      let width = metadata["width"]?.number, let height = metadata["height"]?.number
    else { return }
    if width != Double(size.width) || height != Double(size.height) {
      add(
        .metadataSize, at: 0,
        "onMetaData says \(width.decimal(places: 0...3))x\(height.decimal(places: 0...3)), the pictures are \(size)"
      )
    }
  }

  private mutating func index() {
    guard let offset = indexed.min() else { return }
    let count = indexed.count
    add(
      .index, at: max(0, offset),
      "\(count) entries of the index do not point at a video tag, such as byte \(offset)")
  }

  private static func codecID(_ codec: Codec, _ form: Packet.Form) -> Double? {
    switch (codec, form) {
    case (.video(let id), _): Double(id)
    case (.audio(let format), _): Double(format.rawValue)
    case (.hevc, .legacy): 12
    case (.avc, .legacy): 7
    case (.aac, .legacy): 10
    case (.mp3, .legacy): 2
    case (.fourCC(let code), _): Double(code.code)
    }
  }
}
