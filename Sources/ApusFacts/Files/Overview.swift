// SPDX-License-Identifier: MIT

public import ApusBytes
public import ApusMedia
internal import ApusMetadata
public import ApusRecords
public import ApusSamples
internal import HEIF
internal import HEVC
internal import ISOBMFF

/// The facts of a file for one screen.
public struct Overview: Sendable {
  /// The kind of file, found by its contents.
  public var kind: FileKind
  /// The size of the file in bytes.
  public var size: Int
  /// The brands of `ftyp`, the major one first; empty if there is none.
  public var brands: [FourCC] = []
  /// The types of the outermost boxes, in file order.
  public var boxes: [FourCC] = []
  /// The duration in seconds, of the longest track or of the stream.
  public var duration: Double?
  /// The duration in seconds that a player shows, according to edit lists; `nil` if there are none.
  public var presentationDuration: Double?
  /// Whether it is a movie in fragments.
  public var isFragmented = false
  /// The software, time, place and camera of the recording.
  public var origin = OriginFacts()
  /// The title, artist and the like, in the order of the file.
  public var tags: [TagFacts] = []
  /// The chapters in the order of the file.
  public var chapters: [ChapterFacts] = []
  /// The tracks of a movie or another container, in the order of the file.
  public var tracks: [TrackFacts] = []
  /// The primary picture and the items that belong to it; `nil` for a file without items.
  public var picture: PictureItemFacts?
  /// The gain map of a JPEG; that of a file of items is in `picture`.
  public var gainMap: GainMapFacts?
  /// The size in bytes of the video in a motion photo (`mpvd`).
  public var motionVideo: Int?
  /// The time in seconds in the video of a Live Photo at which its picture was taken.
  public var stillImageTime: Double?
  /// The Content Credentials (C2PA); `nil` without them.
  public var credentials: CredentialFacts?
  /// The facts about a bare HEVC stream; `nil` for other files.
  public var stream: StreamFacts?
  /// The kind of media and its special properties.
  public var traits = MediaTraits()
  /// Findings of the tree and of its configuration records that are more than notes.
  public var findings: [Finding] = []
  /// The findings on configuration records, including notes, with their fixes.
  public var recordFindings: [RecordFinding] = []
  /// Other remarks, such as skipped tracks or missing times.
  public var notes: [String] = []

  /// Gathers the facts of an input. Throws if it cannot be read.
  ///
  /// - Parameters:
  ///   - observer: receives the samples of the tracks of a movie, which are walked for their facts.
  ///   - keeping: receives the parsed file, which is large if the file has many boxes.
  public init(
    of source: any ByteSource, limits: Limits = Limits(),
    observer: (any SampleObserver)? = nil, keeping: ((any Sendable) -> Void)? = nil
  ) throws {
    kind = try FileKind(of: source)
    size = source.count
    switch kind {
    case .isoBMFF:
      let file = PhotoFile(try BoxTree(reading: source, limits: limits))
      keeping?(file)
      addBoxes(file, source, limits, observer)
    case .annexB where try BareStreamKind.isAVC(source): break
    case .annexB:
      stream = try StreamFacts(of: source, limits: limits)
      if let doubt = stream?.doubt { notes.append(doubt) }
      notes += stream?.damage ?? []
      duration = stream?.duration
    case .jpeg:
      let segments = try JPEGSegments(Extent(source, 0..<source.count))
      traits.add(segments, try SamsungBlocks(of: source), size: size)
      gainMap = GainMapFacts(behind: segments, in: source)
      add(still: ItemFacts(segments), segments.metadata)
      credentials = CredentialFacts(segments, in: source)
    case .png:
      let file = try PNGHeader(source)
      add(still: ItemFacts(file), file.metadata)
      traits.add(file.metadata)
      credentials = CredentialFacts(store: file.manifestStore)
    case .webP:
      let file = try WebPHeader(source)
      add(still: ItemFacts(file), file.metadata)
      traits.add(file.metadata)
      credentials = CredentialFacts(store: file.manifestStore)
    default: break
    }
    traits.settle(self)
  }

  private mutating func add(still item: ItemFacts?, _ metadata: SourceMetadata) {
    picture = item.map { PictureItemFacts(still: $0, metadata, hasGainMap: gainMap != nil) }
    origin.add(exif: metadata.exif)
  }

  /// Whether the tracks can only be described from their samples, which `add` walks.
  public var needsSamples: Bool {
    switch kind {
    case .flv, .matroska, .mpegTS, .mpegPS, .avi, .wave, .riff, .ogg, .adts, .mp3, .m3u8, .unknown,
      .empty:
      true
    case .annexB: stream == nil
    default: false
    }
  }

  /// Adds the tracks of a source. Damage after which no samples follow is noted.
  public mutating func add(_ source: any SampleSource) {
    var source = source
    var walks = source.tracks.map { SampleWalk($0) }
    do {
      while let event = try source.next() {
        guard case .sample(let sample) = event, walks.indices.contains(sample.track) else {
          continue
        }
        walks[sample.track].add(sample)
      }
    } catch {
      notes.append("reading of samples stops at damage: \(error)")
    }
    notes += source.repairs
    origin = OriginFacts(source.details)
    tags = TagFacts.all(of: source.details.tags)
    chapters = ChapterFacts.all(of: source.details)
    tracks = zip(source.tracks, walks).enumerated().map { index, pair in
      TrackFacts(pair.0, index: index, pair.1.ended())
    }
    duration = tracks.compactMap(\.duration).max()
    traits.settle(self)
  }

  private mutating func addBoxes(
    _ file: PhotoFile, _ source: any ByteSource, _ limits: Limits, _ observer: (any SampleObserver)?
  ) {
    let tree = file.tree
    findings = file.findings
    boxes = tree.boxes.filter { !$0.isJunk }.map(\.type)
    let type = tree.located.lazy.compactMap { $0.box(FileType.self) }.first
    if let type { brands = [type.majorBrand] + type.compatibleBrands }
    motionVideo = tree.located.lazy.compactMap { $0.box(MotionVideo.self)?.video.count }.first
    let tables: Set<FourCC> = ["moov", "moof", "meta", "mini"]
    if boxes.contains("mdat"), tables.isDisjoint(with: boxes) {
      notes.append(
        "there is no moov, so the media data cannot be read: the recording was not finished, or the file is truncated"
      )
    }
    let movie = file.movie
    let headers = HeadersReader()
    isFragmented = movie.isFragmented
    // A table that cannot be read was reported when the tree was read.
    var known = Dictionary(grouping: findings, by: \.offset).mapValues { Set($0.map(\.message)) }
    // Tracks are large values, and none is copied.
    let all = movie.tracks.span
    tracks.reserveCapacity(all.count)
    for index in all.indices {
      let facts = TrackFacts(of: all[index], in: source, headers: headers, observer: observer)
      tracks.append(facts)
      if let problem = facts.problem,
        known[problem.offset, default: []].insert(problem.message).inserted
      {
        findings.append(problem)
      }
    }
    for index in all.indices where stillImageTime == nil {
      stillImageTime = all[index].stillImageTime.map { Double($0) / 1e6 }
    }
    duration = tracks.compactMap(\.duration).max()
    if tracks.contains(where: { $0.presentationDuration != nil }) {
      presentationDuration = tracks.compactMap { $0.presentationDuration ?? $0.duration }.max()
    }
    let graph = file.graph
    if !graph.items.isEmpty {
      picture = PictureItemFacts(of: graph, in: source, headers: headers)
      picture?.gainMap = GainMapFacts(ofPrimaryIn: file)
    }
    let metadata = (try? file.primaryPicture()).flatMap { try? file.metadata(of: $0) }
    traits.add(file, metadata.map { SourceMetadata(exif: $0.exif, xmp: $0.xmp) })
    traits.add(movie)
    if let located = tree.located.first(where: { $0.node.type == "moov" }) {
      traits.add(KeyedMetadata(located))
      origin = OriginFacts(located)
      tags = TagFacts.all(of: located)
      chapters = ChapterFacts.all(of: located)
    }
    origin.add(exif: metadata?.exif)
    credentials = CredentialFacts(tree)
    addProtection(tree)
    for record in RecordFinder.distinctRecords(of: movie, graph) {
      let report = RecordReport(RecordContext(record, in: source, limits: limits))
      recordFindings += report.findings
    }
    findings += recordFindings.map(\.finding).filter { $0.severity != .note }
  }
}

extension Overview: Described {
  package static let title = "overview"

  /// Declares all facts except the findings, which the caller prints last.
  package static func describe<V: FactVisitor>(_ v: inout V) where V.Subject == Overview {
    v.required("size", "The size of the file in bytes.") { $0.size }
    v.required("kind", "The kind of file, from its first bytes.") { $0.kind }
    v.required("brands", "The brands of `ftyp`, the major one first.") { $0.brands }
    v.required("fragmented", "Whether it is a fragmented movie.") { $0.isFragmented }
    v.facts { $0.traits }
    v.optional("duration", "The duration of the longest track or the stream, in seconds.") {
      $0.duration
    }
    v.optional("presentation_duration", "The duration shown by its edit lists, in seconds.") {
      $0.presentationDuration
    }
    v.optional(
      "still_image_time", "The time of the picture in the video of a Live Photo, in seconds."
    ) { $0.stillImageTime }
    v.facts { $0.origin }
    v.optional("tags", "Title, artist and other tags, with FFmpeg's names.") {
      $0.tags.isEmpty ? nil : $0.tags
    }
    v.optional("chapters", "The chapters in order of time.") {
      $0.chapters.isEmpty ? nil : $0.chapters
    }
    v.required("tracks", "The tracks in file order.") { $0.tracks }
    v.optional("picture", "The pictures, if it is a picture file.") { $0.picture }
    v.optional("hdr", "The gain map of a JPEG.") { $0.gainMap }
    v.optional("motion_video", "The size of the video of a motion photo (`mpvd`), in bytes.") {
      $0.motionVideo
    }
    v.optional("content_credentials", "The Content Credentials (C2PA).") { $0.credentials }
    v.optional("stream", "The facts of a bare HEVC stream.") { $0.stream }
    v.optional("notes", "Other remarks, such as skipped tracks or missing times.") {
      $0.notes.isEmpty ? nil : $0.notes
    }
  }
}

extension Finding: Described {
  package static let title = "finding"

  package static func describe<V: FactVisitor>(_ v: inout V) where V.Subject == Finding {
    v.required("severity", "The severity.") { $0.severity }
    v.required("rule", "A stable name in kebab case.") { $0.rule }
    v.required("path", "The enclosing structures, outermost first.") { $0.path }
    v.required("offset", "The offset in the file, in bytes.") { $0.offset }
    v.required("message", "The message.") { $0.message }
  }
}
