// SPDX-License-Identifier: MIT

import ApusBytes
import ApusContainers
import ApusMedia
import ApusSamples
import HEVC
import ISOBMFF
import SampleSupport
import TestSupport
import Testing

@Suite struct MovieOutputTests {
  /// A fixture as a movie, read again.
  private func written(_ file: String, style: MovieStyle = .mp4, isFragmented: Bool = false) throws
    -> [UInt8]
  {
    var source = try MovieSource(Fixture.source(file))
    return try written(source.tracks, source.rest(), style: style, isFragmented: isFragmented)
  }

  private func written(
    _ tracks: [CodedTrack], _ events: [SourceEvent], style: MovieStyle = .mp4,
    isFragmented: Bool = false
  ) throws -> [UInt8] {
    var options = MovieOptions()
    options.style = style
    if isFragmented {
      options.shortestFragment = .milliseconds(0)
      var output = try FragmentedMovieOutput(tracks, to: ArraySink(), options: options)
      for event in events { try output.add(event) }
      try output.finish()
      return output.sink.bytes
    }
    var output = try MovieOutput(tracks, to: ArraySink(), options: options)
    for event in events { try output.add(event) }
    try output.finish()
    return output.sink.bytes
  }

  /// The sample entries of the first track.
  private func entries(in bytes: [UInt8]) throws -> [LocatedNode] {
    Movie(try BoxTree(reading: MemorySource(bytes))).tracks[0].sampleEntries.map(\.located)
  }

  static let files = [
    "hvc1.mp4", "hvc1-10bit.mp4", "hev1-10bit.mp4", "movie.mov", "edit-list.mp4", "fragmented.mp4",
    "avc1.mp4", "av01.mp4", "audio-codecs.mp4", "slices.mp4",
  ]

  /// Reading is held against ffprobe elsewhere; here what is written must read the same.
  @Test(arguments: files, [MovieStyle.mp4, .quickTime])
  func `it keeps samples and times`(file: String, style: MovieStyle) throws {
    for isFragmented in [false, true] {
      let bytes = try written(file, style: style, isFragmented: isFragmented)
      let tree = try BoxTree(reading: MemorySource(bytes))
      #expect(tree.findings.isEmpty)
      #expect(try tree.bytes() == bytes)
      let before = try MovieSource(Fixture.source(file))
      let after = try MovieSource(MemorySource(bytes))
      #expect(after.warnings.isEmpty)
      for track in before.tracks.indices {
        var (before, after) = (before, after)
        let (old, new) = (before.tracks[track], after.tracks[track])
        #expect(old.timescale == new.timescale && old.language == new.language)
        #expect(old.width == new.width && old.height == new.height)
        #expect(old.sampleRate == new.sampleRate)
        // FFmpeg says two of all Dolby sound.
        #expect(old.channels == new.channels || file == "audio-codecs.mp4")
        let expected = try before.samples(of: track)
        let found = try after.samples(of: track)
        let start = Self.start(of: try MovieSource(Fixture.source(file)))
        #expect(found.count == expected.count)
        for (new, old) in zip(found, expected) {
          #expect(
            Self.seconds(new.decodeTime, from: 0) == Self.seconds(old.decodeTime, from: start))
          #expect(
            Self.seconds(new.presentationTime, from: 0)
              == Self.seconds(old.presentationTime, from: start))
          #expect(new.isSync == old.isSync && new.payload == old.payload)
        }
      }
    }
  }

  /// When a movie of these samples begins: nothing is shown before 0.
  private static func start(of source: MovieSource) -> Double {
    var source = source
    let events = (try? source.rest()) ?? []
    let first = events.compactMap { event -> Double? in
      guard case .sample(let sample) = event else { return nil }
      return seconds(sample.presentationTime, from: 0)
    }.min()
    return max(0, first ?? 0)
  }

  private static func seconds(_ time: RationalTime, from start: Double) -> Double {
    let exact = Double(time.value) / Double(time.timescale) - start
    return (exact * 1e6).rounded() / 1e6
  }

  // MARK: - Parameter sets

  /// A source whose key frames carry sets of their own.
  private func inBand(_ sets: [[UInt8]], in file: String, isSyncOnly: Bool = true) throws
    -> ([CodedTrack], [SourceEvent])
  {
    var source = try MovieSource(Fixture.source(file))
    let events = try source.rest().map { event -> SourceEvent in
      guard case .sample(var sample) = event, sample.track == 0, sample.isSync else { return event }
      let lead = try LengthPrefixed.bytes(of: sets)
      sample.payload = Extent(lead + (try sample.payload.bytes()))
      return .sample(sample)
    }
    return (source.tracks, events)
  }

  private func sets(of file: String) throws -> [[UInt8]] {
    guard case .hevc(let record) = try MovieSource(Fixture.source(file)).tracks[0].format else {
      return []
    }
    return record.parameterSets
  }

  @Test(arguments: [false, true]) func `it leaves repeated sets out`(isFragmented: Bool) throws {
    let (tracks, events) = try inBand(sets(of: "hvc1.mp4"), in: "hvc1.mp4")
    let bytes = try written(tracks, events, isFragmented: isFragmented)
    #expect(try bytes == written("hvc1.mp4", isFragmented: isFragmented))
    let entry = try #require(entries(in: bytes).first)
    #expect(entry.node.type == "hvc1")
    let record = try #require(entry.child("hvcC")?.box(HEVCConfiguration.self)).record
    for array in record.arrays {
      #expect(
        array.arrayCompleteness == NALUnitType(fieldBits: UInt64(array.nalUnitType)).isParameterSet)
    }
  }

  @Test(arguments: [false, true]) func `it keeps other sets`(isFragmented: Bool) throws {
    let other = try sets(of: "hvc1-10bit.mp4")
    let (tracks, events) = try inBand(other, in: "hvc1.mp4")
    let bytes = try written(tracks, events, isFragmented: isFragmented)
    let entry = try #require(entries(in: bytes).first)
    #expect(entry.node.type == "hev1")
    let record = try #require(entry.child("hvcC")?.box(HEVCConfiguration.self)).record
    #expect(record.arrays.allSatisfy { !$0.arrayCompleteness })
    var source = try MovieSource(MemorySource(bytes))
    let first = try #require(try source.samples(of: 0).first)
    let units = try LengthPrefixed.nalUnits(in: first.payload.bytes(), lengthSize: 4)
    #expect(Array(units.prefix(other.count)) == other)
  }

  @Test func `it passes damaged samples on`() throws {
    let source = try MovieSource(Fixture.source("hvc1.mp4"))
    let payload: [UInt8] = [0, 0, 1, 0, 38, 1]
    let sample = CodedSample(
      track: 0, decodeTime: .milliseconds(0), isSync: true, payload: Extent(payload))
    let bytes = try written([source.tracks[0]], [.sample(sample)])
    var again = try MovieSource(MemorySource(bytes))
    #expect(try again.samples(of: 0).first?.payload.bytes() == payload)
  }

  // MARK: - Formats that change

  /// Two movies one after the other on one track.
  private func joined(_ first: String, _ second: String) throws -> ([CodedTrack], [SourceEvent]) {
    var one = try MovieSource(Fixture.source(first))
    var two = try MovieSource(Fixture.source(second))
    let track = one.tracks[0]
    let format = two.tracks[0].format
    var events = try one.samples(of: 0).map(SourceEvent.sample)
    events.append(.format(track: 0, format))
    for var sample in try two.samples(of: 0) {
      sample.decodeTime.value += Int64(sample.decodeTime.timescale)
      sample.presentationTime.value += Int64(sample.presentationTime.timescale)
      events.append(.sample(sample))
    }
    return ([track], events)
  }

  @Test func `it gives a new format an entry`() throws {
    let (tracks, events) = try joined("hvc1.mp4", "hvc1-10bit.mp4")
    let bytes = try written(tracks, events)
    #expect(try entries(in: bytes).map(\.node.type) == ["hvc1", "hvc1"])
    var source = try MovieSource(MemorySource(bytes))
    let again = try source.rest()
    let places = again.indices.filter { if case .format = again[$0] { true } else { false } }
    let expected = events.indices.filter { if case .format = events[$0] { true } else { false } }
    #expect(places == expected && again.count == events.count)
  }

  @Test func `it puts a new format into the key frames of fragments`() throws {
    let (tracks, events) = try joined("hvc1.mp4", "hvc1-10bit.mp4")
    let bytes = try written(tracks, events, isFragmented: true)
    #expect(try entries(in: bytes).count == 1)
    var source = try MovieSource(MemorySource(bytes))
    let samples = try source.samples(of: 0)
    let sets = try sets(of: "hvc1-10bit.mp4")
    let change = try #require(events.firstIndex { if case .format = $0 { true } else { false } })
    for (index, sample) in samples.enumerated() {
      let units = try LengthPrefixed.nalUnits(in: sample.payload.bytes(), lengthSize: 4)
      let found = units.filter { NALUnitHeader(of: $0)?.nalUnitType.isParameterSet == true }
      #expect(found == (index >= change && sample.isSync ? sets : []))
    }
  }

  /// Its first fragment has both formats in sample entries, which one written from it once more would not know in time.
  @Test
  func `a recording in fragments, whose sound changes at once, stays as it was recorded`() throws {
    var source = try MovieSource(Fixture.source("hvc1.mp4"))
    var output = try FragmentedMovieOutput(source.tracks, to: ArraySink())
    var hasChanged = false
    for event in try source.rest() {
      try output.add(event)
      guard !hasChanged, case .sample(let sample) = event, sample.track == 1 else { continue }
      try output.add(.format(track: 1, .aac([0x12, 0x10])))
      hasChanged = true
    }
    try output.finish()
    let recorded = output.sink.bytes
    let folder = try TestFolder()
    try folder.write(recorded, to: "live.mp4")
    let count = try FinishedRecording(path: "\(folder.path)/live.mp4", target: .fmp4).write()
    #expect(hasChanged && count == recorded.count)
    #expect(try folder.read("live.mp4") == recorded)
  }

  @Test func `it refuses another format of sound in fragments`() throws {
    var source = try MovieSource(Fixture.source("hvc1.mp4"))
    var output = try FragmentedMovieOutput(source.tracks, to: ArraySink())
    for event in try source.rest() { try output.add(event) }
    try output.flush()
    do {
      try output.add(.format(track: 1, .aac([0x12, 0x10])))
      Issue.record("was taken")
    } catch {
      let error = MediaError(error)
      #expect(error.kind == .unsupported && error.message.hasPrefix("AAC audio changes its format"))
    }
  }

  @Test(arguments: [
    (
      CodedTrack(.audio, .other("alaw", []), timescale: 8000),
      "alaw audio has a sample entry that only QuickTime"
    ),
    (
      CodedTrack(.video, .other("vp08", []), timescale: 1000), "VP8 video has no configuration"
    ),
    (CodedTrack(.audio, .other("Opus", []), timescale: 48000), "Opus audio has no configuration"),
    (
      CodedTrack(.audio, .hevc(DecoderConfigurationRecord()), timescale: 1),
      "HEVC audio is not a format"
    ),
  ])
  func `it refuses by name`(track: CodedTrack, message: String) throws {
    do {
      _ = try MovieOutput([track], to: ArraySink())
      Issue.record("was taken")
    } catch {
      #expect(MediaError(error).message.hasPrefix(message), "\(error)")
    }
    #expect(throws: (any Error).self) { _ = try FragmentedMovieOutput([track], to: ArraySink()) }
  }

  // MARK: - Fragments

  @Test func `it begins fragments at key frames and after a while`() throws {
    let track = CodedTrack(.audio, .aac([0x12, 0x10]), timescale: 1000)
    var output = try FragmentedMovieOutput([track], to: ArraySink())
    for index in 0..<100 {
      let time = RationalTime.milliseconds(Int64(index) * 100)
      try output.add(
        .sample(CodedSample(track: 0, decodeTime: time, isSync: true, payload: Extent([1, 2]))))
    }
    try output.finish()
    let tree = try BoxTree(reading: MemorySource(output.sink.bytes))
    let runs = tree.boxes.filter { $0.type == "moof" }.flatMap(\.children).flatMap(\.children)
      .compactMap { $0.box as? TrackRun }
    #expect(runs.map(\.sampleCount) == [20, 20, 20, 20, 20])
    let video = try BoxTree(
      reading: MemorySource(written("edit-list.mp4", isFragmented: true)))
    var cursor = Movie(video).tracks[0].samples()
    var syncs = 0
    while let sample = try cursor.next() { syncs += sample.isSync ? 1 : 0 }
    #expect(video.boxes.filter { $0.type == "moof" }.count == syncs)
  }
}
