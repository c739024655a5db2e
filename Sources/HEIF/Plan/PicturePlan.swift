// SPDX-License-Identifier: MIT

public import ApusBytes
public import ApusMedia

/// The pictures to decode for one picture of a file, and their composition: every derivation (`grid`, `iovl`, `iden`)
/// and every transformation (`clap`, `irot`, `imir`) is resolved to pieces of coded pictures on one canvas. Nothing is
/// decoded to create it, and it can be printed.
public struct PicturePlan: Sendable {
  /// The width of the upright result.
  public var width: Int
  /// The height of the upright result.
  public var height: Int
  /// The sources to decode, each only once.
  public var sources: [PlannedSource] = []
  /// The pieces to paint, in this order: a later piece covers an earlier one.
  public var pieces: [PlannedPiece] = []
  /// The background of an overlay: red, green, blue and alpha with 16 bits.
  public var fill: [UInt16]?
  /// The colour of the composed samples.
  public var colour = PlannedColour()
  /// The plan of the alpha auxiliary picture, if any: its luma on a canvas of the same size.
  public var alpha: [PicturePlan] = []
  /// Whether the samples are premultiplied with the alpha (`prem`).
  public var isAlphaPremultiplied = false
  /// The combined transformations of the picture, which make its stored samples upright.
  public var orientation = Orientation.upright
  /// Whether the container states the orientation (with `irot` or `imir`, even if they have no effect).
  public var isPlacedByContainer = false
  /// The findings: contradictions in the file and how they were resolved, and ignored data.
  public var findings: [Finding] = []
  /// The canvas that this is a part of; `nil` if it is all of it.
  var uncut: UncutCanvas?

  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }
}

/// A coded picture to be decoded.
public struct PlannedSource: Sendable {
  /// The name in messages, such as `item 12`, `tile 5 (item 12)` or `frame 0 of track 1`.
  public var name: String
  /// The ID of the item; `nil` for a frame of a track, or a whole file.
  public var item: UInt32?
  /// The coding, which determines the decoder.
  public var codec: PictureCodec
  /// The body of the decoder configuration record as in the file; empty if the codec has none.
  public var configuration: [UInt8]
  /// The extents of the samples: those of its reference pictures, and finally its own.
  public var samples: [[Extent]]
  /// The format according to the configuration, with the picture's conformance window.
  public var format: PictureFormat
  /// The colour according to the stream.
  public var colour: ColourDescription?
  /// The position of its colour samples relative to those of luma.
  public var site: ChromaSite
  /// The factor by which the picture is reduced in decoding, which is possible only for JPEG: 1, 2, 4 or 8.
  public var reduction = 1
  /// Whether its rows can be decoded a few at a time from top to bottom, as in a PNG.
  public var comesInRows = false
  /// The memory of a decoder in bytes while it returns such rows; an interlaced PNG is decoded completely first.
  public var heldBytes = 0

  public init(
    name: String, codec: PictureCodec, configuration: [UInt8], samples: [[Extent]],
    format: PictureFormat, colour: ColourDescription? = nil, site: ChromaSite = .left
  ) {
    self.name = name
    self.codec = codec
    self.configuration = configuration
    self.samples = samples
    self.format = format
    self.colour = colour
    self.site = site
  }
}

/// A part of a coded picture, placed on the canvas.
public struct PlannedPiece: Hashable, Sendable {
  /// The index of the source.
  public var source: Int
  /// The part of the source, in its samples.
  public var crop: PixelRect
  /// The orientation of the part.
  public var orientation: Orientation
  /// The place on the canvas: its size is that of `crop`, with sides swapped if the orientation swaps them.
  public var place: PixelRect
  /// The source whose luma is the alpha, with the same crop, for overlaid pictures that have alpha.
  public var alphaSource: Int?

  public init(source: Int, crop: PixelRect, orientation: Orientation, place: PixelRect) {
    self.source = source
    self.crop = crop
    self.orientation = orientation
    self.place = place
  }
}

/// The colour of a picture.
public struct PlannedColour: Sendable {
  /// The meaning of the samples, as completely as the file and the stream define it.
  public var description = ColourDescription()
  /// The ICC profile of the picture.
  public var profile: Extent?
  /// The origin of the description, such as `colr of item 49`, `the stream` or `nothing says`.
  public var origin = "nothing says"

  public init() {}
}
