// SPDX-License-Identifier: MIT

internal import ApusBytes
public import ApusMedia
public import ApusSamples
internal import ISOBMFF

/// The samples of a movie, with what makes it the video of a Live Photo: the content identifier in its metadata, and a
/// track whose only sample marks when the picture was taken.
public struct LiveMovieSource: SampleSource, Sendable {
  /// The tracks of the movie, followed by the one that marks the picture, if the movie had none.
  public let tracks: [CodedTrack]
  /// The details of the movie, with the content identifier.
  public let details: MediaDetails
  private var source: any SampleSource & Sendable
  private var marker: CodedSample?
  private var waiting: SourceEvent?

  /// - Parameters:
  ///   - identifier: the content identifier; `nil` where the movie has it already.
  ///   - stillTime: the time at which the picture was taken; `nil` where a track of the movie marks it.
  public init(
    _ source: any SampleSource & Sendable, identifier: String?, stillTime: RationalTime?
  ) throws {
    var tracks = source.tracks
    if let stillTime {
      let video = tracks.firstIndex { $0.kind == .video }
      marker = CodedSample(
        track: tracks.count, decodeTime: stillTime,
        duration: RationalTime(Int64(stillTime.timescale) / 30, per: stillTime.timescale),
        isSync: true,
        payload: Extent(Self.item))
      tracks.append(Self.track(of: video, timescale: stillTime.timescale))
    }
    self.tracks = tracks
    details = try identifier.map { try Self.identified(source.details, $0) } ?? source.details
    self.source = source
  }

  /// The faults of the movie's samples so far that were repaired, as text.
  public var repairs: [String] { source.repairs }

  public mutating func next() throws -> SourceEvent? {
    if let event = waiting {
      waiting = nil
      return event
    }
    let event = try source.next()
    guard let marker else { return event }
    if case .sample(let sample)? = event, !marker.decodeTime.isBefore(sample.decodeTime) {
      return event
    }
    if case .format? = event { return event }
    self.marker = nil
    waiting = event
    return .sample(marker)
  }

  // MARK: The track

  /// A boxed item with the number of its key and a byte that means nothing; Apple's phones write -1.
  private static let item: [UInt8] = [0, 0, 0, 9, 0, 0, 0, 1, 0xff]
  private static let entryType: FourCC = "mebx"

  private static func track(of video: Int?, timescale: UInt32) -> CodedTrack {
    var track = CodedTrack(.data, .other(entryType, []), timescale: timescale)
    track.details.title = "Core Media Metadata"
    track.details.sampleEntries = [(track.format, sampleEntry)]
    if let video { track.details.references = [("cdsc", [video])] }
    var traits = MovieTraits("meta")
    traits.isQuickTime = true
    var header = BaseMediaInformation()
    header.boxes = [Node("gmin", BaseMediaInfo())]
    traits.mediaHeader = Node("gmhd", header)
    track.details.movie = traits
    return track
  }

  private static var sampleEntry: Node {
    var name = MetadataKeyDeclaration()
    name.value = Array("com.apple.quicktime.still-image-time".utf8)
    var type = MetadataDatatype()
    // A signed number of 8 bits: QuickTime File Format, well-known types.
    type.datatype = [0, 0, 0, 65]
    var key = MetadataKey()
    key.boxes = [Node("keyd", name), Node("dtyp", type)]
    var keys = MetadataKeyTable()
    keys.boxes = [Node(FourCC(1), key)]
    var entry = BoxedMetadataSampleEntry()
    entry.boxes = [Node("keys", keys)]
    return Node(entryType, entry)
  }

  // MARK: The metadata

  private static let identifierKey = Array("com.apple.quicktime.content.identifier".utf8)

  private static func identified(_ details: MediaDetails, _ identifier: String) throws
    -> MediaDetails
  {
    var details = details
    var value = MetadataValue()
    value.value = .text(Array(identifier.utf8))
    var item = MetadataItem()
    item.boxes = [Node("data", value)]
    var key = MetadataKeys.Key()
    key.value = identifierKey
    if let place = details.boxes.firstIndex(where: { $0.type == "meta" }) {
      try add(key, item, to: &details.boxes[place])
      return details
    }
    // Tags of other containers become those of a movie only if the movie has no boxes for them.
    if details.boxes.isEmpty, let tags = MovieTags.metadata(details.tags) {
      var user = UserData()
      user.boxes = [tags]
      details.boxes.append(Node("udta", user))
    }
    var handler = HandlerReference()
    handler.handlerType = "mdta"
    var keys = MetadataKeys()
    keys.entries = [key]
    var list = MetadataItemList()
    list.boxes = [Node(FourCC(1), item)]
    var meta = Metadata()
    // QuickTime's form has no version.
    meta.header = nil
    meta.boxes = [Node("hdlr", handler), Node("keys", keys), Node("ilst", list)]
    details.boxes.append(Node("meta", meta))
    return details
  }

  /// Adds an item under another name.
  private static func add(_ key: MetadataKeys.Key, _ item: MetadataItem, to meta: inout Node) throws
  {
    let boxes = meta.children
    guard let keys = boxes.firstIndex(where: { $0.type == "keys" }),
      let list = boxes.firstIndex(where: { $0.type == "ilst" }),
      var names = boxes[keys].box as? MetadataKeys
    else {
      throw MediaError(
        .unsupported, of: .part("moov/meta"),
        "holds metadata of another kind, beside which there is no place for a content identifier")
    }
    names.entries.append(key)
    meta.children[keys].box = names
    meta.children[list].children.append(Node(FourCC(UInt32(names.entries.count)), item))
  }
}
