// SPDX-License-Identifier: MIT

public import ApusBytes
public import ApusFacts
internal import ApusMedia
internal import ApusRecords
public import ApusSamples
internal import HEIF
internal import HEVC
internal import ISOBMFF

/// Reads a file once and gathers everything that a page shows about it. Of media data only the headers of the first
/// pictures are read.
public struct ReportReader {
  private let source: any ByteSource
  private let overview: Overview
  private let survey: TrackSurvey
  private let limits: Limits
  private var contents: ReportContents

  /// - Parameters:
  ///   - overview: the facts of the same file.
  ///   - survey: the observer that received the samples of its tracks while these facts were gathered.
  ///   - name: the name of the file on the page and in commands.
  public init(
    _ source: any ByteSource, _ overview: Overview, _ survey: TrackSurvey, name: String,
    limits: Limits = Limits()
  ) {
    self.source = source
    self.overview = overview
    self.survey = survey
    self.limits = limits
    contents = ReportContents(name: name, size: overview.size, kind: overview.kind)
  }

  /// Gathers everything from the file's structure.
  ///
  /// - Parameters:
  ///   - survey: the observer that received the samples of its tracks while the facts were gathered.
  ///   - samples: the samples of a file without sample tables.
  public static func contents(
    of source: any ByteSource, _ overview: Overview, _ survey: TrackSurvey, name: String,
    samples: (any SampleSource)? = nil, limits: Limits = Limits()
  ) throws(SyntaxError) -> ReportContents {
    var reader = ReportReader(source, overview, survey, name: name, limits: limits)
    try reader.read(samples)
    return reader.contents
  }

  private mutating func read(_ samples: (any SampleSource)?) throws(SyntaxError) {
    contents.verdict = Receivers(overview).verdict
    contents.facts = FactReader(overview).facts
    var tree: BoxTree?
    switch overview.kind {
    case .isoBMFF:
      let found = try BoxTree(reading: source, limits: limits)
      tree = found
      try readBoxes(found)
    case .flv:
      let outline = try StreamOutline(tagsOf: source, limits: limits)
      (contents.boxes, contents.omissions) = (outline.boxes, outline.omissions)
      contents.map = MapBuilder(contents.boxes, size: source.count).finished()
    case .annexB:
      let outline = try StreamOutline(unitsOf: source)
      (contents.boxes, contents.omissions) = (outline.boxes, outline.omissions)
      contents.map = MapBuilder(contents.boxes, size: source.count).finished()
    default: break
    }
    if let samples { readTimes(of: samples) }
    settleGaps()
    contents.findings =
      FindingReader(
        overview, tree, in: source, name: contents.name, limits: limits
      ).findings
    linkFindings()
  }

  // MARK: - Boxes

  private mutating func readBoxes(_ tree: BoxTree) throws(SyntaxError) {
    let file = PhotoFile(tree)
    let movie = file.movie
    var outline = BoxOutline(tree, movie)
    var map = MapBuilder(outline.boxes, size: source.count)
    for box in tree.located {
      if case .lazy(let body) = box.node.content { map.addMedia(body.range) }
      if let data = box.box(at: "idat", as: ItemData.self)?.data { map.addMedia(data.range) }
    }
    for (track, walk) in zip(movie.tracks, survey.walks) {
      readTrack(track, walk, &map, &outline)
    }
    readItems(file, &map, &outline)
    contents.boxes = outline.boxes
    contents.omissions = outline.omissions
    contents.map = map.finished()
    remarkOnOrder(of: tree, movie)
  }

  private mutating func remarkOnOrder(of tree: BoxTree, _ movie: Movie) {
    let types = tree.boxes.filter { !$0.isJunk }.map(\.type)
    guard let moov = types.firstIndex(of: "moov"), let mdat = types.firstIndex(of: "mdat"),
      mdat < moov, !movie.isFragmented
    else { return }
    contents.map.remarks.append(
      "The index of the movie (moov) follows the media data, so web players have to fetch the end first; "
        + "apus remux moves it to the front.")
  }

  private mutating func readTrack(
    _ track: Track, _ walk: TrackSurvey.Walk, _ map: inout MapBuilder, _ outline: inout BoxOutline
  ) {
    let facts = overview.tracks.first { $0.id == track.id }
    let name = "track \(track.id), \(facts?.codec ?? track.handler?.description ?? "unknown")"
    if let error = walk.error {
      contents.timeNotes.append("\(name): its samples end early: \(error)")
    }
    map.add(walk.lane, name, anchor: track.path.asIdentifier)
    contents.timelines.append(walk.timeline(name))
    addUnits(ofFirst: walk.first, track, &outline)
  }

  private func addUnits(
    ofFirst range: Range<Int>?, _ track: Track, _ outline: inout BoxOutline
  ) {
    guard let range, range.upperBound <= source.count,
      let setup = track.sampleEntries.first.flatMap({ UnitReader.of($0) })
    else { return }
    let units = NALUnitOutline.all(in: Extent(source, range), setup)
    outline.add(units, named: "track \(track.id), sample 1", at: range)
  }

  // MARK: - Items

  /// The maximum number of items that are read for their slice headers.
  private static let mostItems = 6

  private mutating func readItems(
    _ file: PhotoFile, _ map: inout MapBuilder, _ outline: inout BoxOutline
  ) {
    let graph = file.graph
    guard !graph.items.isEmpty else { return }
    var reader = ItemReader(graph, in: source, anchors: outline.anchorNames)
    reader.addCurves(overview.picture?.gainMap)
    contents.items = reader.drawing
    var roles: [(name: String, ranges: [Range<Int>])] = []
    var places: [String: Int] = [:]
    var looked = 0
    for item in graph.items {
      guard let extents = try? graph.data(of: item.id, in: source) else { continue }
      let ranges = extents.filter { $0.source === source }.map(\.range)
      let name = "\(reader.role(of: item)) (\(item.type))"
      if let place = places[name] {
        roles[place].ranges += ranges
      } else {
        places[name] = roles.count
        roles.append((name, ranges))
      }
      guard looked < Self.mostItems, let range = ranges.first, let setup = UnitReader.of(item)
      else { continue }
      looked += 1
      let units = NALUnitOutline.all(in: Extent(source, range), setup)
      outline.add(units, named: "item \(item.id)", at: range)
    }
    for role in roles {
      var lane = MapBuilder.Lane(fileSize: source.count)
      for range in role.ranges { lane.add(range) }
      map.add(lane, role.name, anchor: nil)
    }
  }

  // MARK: - Samples of files without tables

  private mutating func readTimes(of samples: any SampleSource) {
    var source = samples
    var builders = source.tracks.enumerated().map { index, track in
      TimelineBuilder(
        "track \(index + 1), \(Self.name(of: track))", isVideo: track.kind == .video,
        timescale: track.timescale, isRecording: overview.kind == .flv)
    }
    var orders = source.tracks.map { track -> ReferenceReader? in
      guard case .hevc(let record) = track.format else { return nil }
      return ReferenceReader(lengthSize: record.lengthSize, sets: StreamHeaders(record).sets)
    }
    do {
      while let event = try source.next() {
        guard case .sample(let sample) = event, builders.indices.contains(sample.track) else {
          continue
        }
        let scale = source.tracks[sample.track].timescale
        let time = sample.decodeTime.rounded(to: scale) ?? 0
        let shown = sample.presentationTime.rounded(to: scale) ?? time
        if case .hevc(let record) = source.tracks[sample.track].format,
          sample.isBrokenLink(lengthSize: record.lengthSize)
        {
          builders[sample.track].note(.brokenLink, at: time)
        }
        orders[sample.track]?.add(sample.payload)
        let known = orders[sample.track]?.lastType
        builders[sample.track].add(
          size: sample.payload.count / max(1, sample.count), time: time, delay: shown &- time,
          duration: sample.duration?.rounded(to: scale), isKey: sample.isSync, offset: nil,
          type: known ?? nil, count: sample.count)
      }
    } catch {
      contents.timeNotes.append("Reading of samples stops at damage: \(error)")
    }
    contents.timelines += zip(builders, orders).map {
      $0.finished(pictures: $1?.finished() ?? [])
    }
    contents.timeNotes += source.repairs
  }

  /// Sets the reasons why samples are missing, and the places where a stream was set up again.
  private mutating func settleGaps() {
    let recording =
      overview.kind == .flv ? RecordingReader(tagsOf: source, limits: limits) : RecordingReader()
    recording.settle(&contents.timelines)
    for index in contents.timelines.indices where contents.timelines[index].isVideo {
      let start = contents.timelines[index].start
      contents.timelines[index].events += recording.setups.map {
        Timeline.Event(kind: .setup, time: $0 - start)
      }
    }
  }

  private static func name(of track: CodedTrack) -> String {
    switch track.format {
    case .hevc: "HEVC"
    case .avc: "H.264"
    case .aac: "AAC"
    case .other(let type, _): type.description
    }
  }

  // MARK: - Links

  private mutating func linkFindings() {
    let anchors = Set(contents.boxes.flatMap(Self.anchors))
    for index in contents.findings.indices {
      let finding = contents.findings[index]
      let path = finding.path.asIdentifier
      if !path.isEmpty, anchors.contains(path) {
        contents.findings[index].anchor = path
      } else {
        let outer = contents.boxes.last {
          $0.start <= finding.offset && finding.offset < $0.start + $0.size
        }
        contents.findings[index].anchor = outer.flatMap { Self.innermost($0, finding.offset) }
      }
    }
  }

  private static func anchors(_ box: ReportBox) -> [String] {
    [box.anchor] + box.children.flatMap(anchors)
  }

  private static func innermost(_ box: ReportBox, _ offset: Int) -> String {
    let inner = box.children.first {
      $0.kind == .box && $0.start <= offset && offset < $0.start + $0.size
    }
    return inner.map { innermost($0, offset) } ?? box.anchor
  }
}
