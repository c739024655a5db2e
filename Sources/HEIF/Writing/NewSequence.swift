// SPDX-License-Identifier: MIT

public import ApusBytes
public import HEVC
internal import ISOBMFF

/// A track of pictures that are shown one after the other (`pict`), each coded separately: ISO/IEC 23008-12, 7. The
/// first is also the primary item of the file.
public struct NewSequence: Sendable {
  /// The pictures, all with the configuration, size and colour of the first.
  public var pictures: [NewPicture]
  /// The pictures per second, all shown for the same time.
  public var frameRate: FrameRate

  /// Creates a sequence; throws if pictures are coded differently.
  public init(_ pictures: [NewPicture], frameRate: FrameRate) throws(SyntaxError) {
    self.pictures = pictures
    self.frameRate = frameRate
    let records = try pictures.map { picture throws(SyntaxError) in
      try BoxTree(boxes: [picture.configuration.node]).bytes()
    }
    for (index, picture) in pictures.enumerated() {
      guard !picture.isGrid, picture.width <= UInt16.max, picture.height <= UInt16.max else {
        throw Self.refusal(
          "picture \(index + 1) of \(picture.width) × \(picture.height) is not a single coded picture; "
            + "the sides of a sequence are 16 to 16384 and multiples of a chroma sample")
      }
      guard let first = pictures.first, records[index] == records[0],
        (picture.width, picture.height) == (first.width, first.height)
      else {
        throw Self.refusal(
          "picture \(index + 1) of \(picture.width) × \(picture.height) is coded differently from the "
            + "first; all pictures of a sequence have the same size and format")
      }
    }
    guard frameRate.numerator <= UInt32.max, frameRate.denominator <= UInt32.max else {
      throw Self.refusal("the frame rate has more than 32 bits")
    }
  }

  private static func refusal(_ detail: String) -> SyntaxError {
    SyntaxError(.misuse, field: "sequence", detail: detail)
  }

  /// The data after that of the items: all pictures except the first.
  var further: [Extent] { pictures.dropFirst().map { $0.tiles[0] } }

  /// Returns `moov`.
  ///
  /// - Parameters:
  ///   - first: the offset of the first picture.
  ///   - rest: the offset of the others.
  func movie(first: Int, rest: Int, isWide: Bool) -> Node {
    let timescale = UInt32(clamping: frameRate.numerator)
    let duration = UInt64(pictures.count) * frameRate.denominator
    let version: UInt8 = duration > UInt32.max ? 1 : 0
    var header = MovieHeader()
    (header.timescale, header.duration, header.nextTrackID) = (timescale, duration, 2)
    header.header.version = version
    var track = TrackHeader()
    track.duration = duration
    track.header.version = version
    track.width = UInt32(pictures[0].width) << 16
    track.height = UInt32(pictures[0].height) << 16
    var media = MediaHeader()
    (media.timescale, media.duration) = (timescale, duration)
    media.header.version = version
    var handler = HandlerReference()
    handler.handlerType = "pict"
    let information = Node.box(
      "minf",
      [
        Node("vmhd", VideoMediaHeader()), ItemFileLayout.dataInformation,
        table(first: first, rest: rest, isWide: isWide),
      ])
    return Node.box(
      "moov",
      [
        Node("mvhd", header),
        Node.box(
          "trak",
          [
            Node("tkhd", track),
            Node.box("mdia", [Node("mdhd", media), Node("hdlr", handler), information]),
          ]),
      ])
  }

  private func table(first: Int, rest: Int, isWide: Bool) -> Node {
    var description = SampleDescription()
    description.boxes = [Node("hvc1", entry)]
    var times = DecodingTimeToSample()
    times.entries = Self.table(
      [("sample_count", 32), ("sample_delta", 32)],
      [[Int64(pictures.count), Int64(frameRate.denominator)]])
    // The first picture is among the items.
    var chunks = SampleToChunk()
    let others = Int64(pictures.count - 1)
    chunks.entries = Self.table(
      [("first_chunk", 32), ("samples_per_chunk", 32), ("sample_description_index", 32)],
      [[1, 1, 1]] + (others > 1 ? [[2, others, 1]] : []))
    var sizes = SampleSizes()
    sizes.sampleCount = UInt32(clamping: pictures.count)
    sizes.entries = Self.table(
      [("entry_size", 32)], pictures.map { [Int64($0.tiles[0].count)] })
    let places = Self.table(
      [("chunk_offset", isWide ? 64 : 32)], [[Int64(first)]] + (others > 0 ? [[Int64(rest)]] : []))
    var offsets = Node("stco", ChunkOffsets())
    if isWide {
      var box = LargeChunkOffsets()
      box.entries = places
      offsets = Node("co64", box)
    } else {
      var box = ChunkOffsets()
      box.entries = places
      offsets = Node("stco", box)
    }
    return Node.box(
      "stbl",
      [
        Node("stsd", description), Node("stts", times), Node("stsc", chunks), Node("stsz", sizes),
        offsets,
      ])
  }

  private var entry: VisualSampleEntry {
    var entry = VisualSampleEntry()
    entry.width = UInt16(clamping: pictures[0].width)
    entry.height = UInt16(clamping: pictures[0].height)
    var constraints = CodingConstraints()
    (constraints.allReferencePicturesIntra, constraints.intraPredUsed) = (true, true)
    entry.boxes =
      [pictures[0].configuration.node] + pictures[0].colours.map(\.node)
      + [Node("ccst", constraints)]
    return entry
  }

  private static func table(_ columns: [(String, Int)], _ rows: [[Int64]]) -> Table {
    var builder = TableBuilder(columns.map { Table.Column($0.0, $0.1) }, capacity: rows.count)
    for row in rows { builder.append(row) }
    return builder.table
  }
}

extension Node {
  /// Returns a box that contains only boxes.
  static func box(_ type: FourCC, _ boxes: [Node]) -> Node {
    var container = Container()
    container.boxes = boxes
    return Node(type, container)
  }
}
