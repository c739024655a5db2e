// SPDX-License-Identifier: MIT

public import Bytes
public import HEIF
public import Media

/// What a photo is made into, and how.
public struct ConvertOptions: Hashable, Sendable {
  public var format = OutputFormat.jpeg
  /// The quality of a JPEG, as libjpeg counts, of a WebP, as libwebp does, or of a HEIC, as libheif does: 1 to 100.
  public var quality = 90
  /// Whether a JPEG that no other option changes is copied into a JPEG, and not encoded again with that quality.
  public var copiesJPEGs = true
  /// How small a PNG is made, 0 to 9: 0 does not compress, 1 is fast, 9 takes its time.
  public var pngCompression = 1
  public var chroma = ChromaChoice.auto
  /// The choices that only a HEIC has.
  public var heic = HEICChoices()
  /// Whether a JPEG has several scans, for which the whole picture is held in memory.
  public var isProgressive = false
  /// Whether a JPEG has Huffman tables made for the picture, for which the whole picture is held in memory.
  public var isOptimized = false
  /// What shows through where a picture with alpha becomes one without: red, green, blue.
  public var background: [UInt8] = [255, 255, 255]
  public var convertsToSRGB = false
  public var hdr = HDRChoice.keep
  /// The headroom of the display for which `HDRChoice.apply` renders, as a logarithm to base 2; `nil` for as much as
  /// the gain map holds.
  public var headroom: Double?
  /// Fails where a gain map cannot be kept, instead of leaving it out.
  public var isStrictAboutHDR = false
  public var orientation = OrientationChoice.auto
  /// Leaves the samples as they are stored and says in Exif how to lay them.
  public var keepsOrientationTag = false
  public var strip = StripChoice.nothing
  /// Makes the small picture in Exif anew.
  public var makesThumbnail = false
  public var decoder = DecoderChoice.auto
  /// Writes what there is of a broken picture, and reports it as salvaged.
  public var salvages = false
  public var images = ImageChoice.primary
  /// The frame of an image sequence, from 0.
  public var frame: Int?
  /// Decodes the result again before it gets its name.
  public var verifies = false
  /// Finds out what of the file is not in the outputs (`PhotoReport.losses`), for a caller that removes files.
  public var weighsRemoval = false
  /// How large a picture may be; larger ones are made smaller.
  public var bounds: PictureBounds?
  /// The part of the picture that is taken; without it all of it.
  public var crop: PictureCrop?
  /// How the upright picture, or the part of it, is oriented anew.
  public var turn = Orientation.upright
  /// Makes small pictures rather than pictures.
  public var thumbnail: ThumbnailPolicy?
  /// Takes out what is beside the primary picture rather than that.
  public var parts: PartChoice?
  /// What becomes of the video of a Live Photo; without it none is looked for.
  public var live: LiveChoice?
  /// Whether the video in the file of the picture goes into a file of its own.
  var hasVideoBeside = false
  /// Writes the samples as numbers, into a grey PNG.
  var plane: PlaneTable?
  public var limits = PlanLimits()
  /// What reading the boxes may cost.
  public var boxLimits = Limits()

  public init() {}

  /// Whether a JPEG is what a JPEG is converted into, unless it is too large: nothing asks for another one.
  var takesJPEGAsItIs: Bool {
    thumbnail == nil && parts == nil && crop == nil && turn == .upright && copiesJPEGs
      && strip == .nothing && chroma == .auto && !isProgressive && !isOptimized && !convertsToSRGB
      && hdr == .keep && !makesThumbnail
  }

  /// The options that change outputs, as text, so that a journal can tell runs apart. How a file
  /// is read, checked and salvaged is not among it.
  var choices: [String] {
    let usual = ConvertOptions()
    func word<Value: Hashable>(_ name: String, _ value: KeyPath<ConvertOptions, Value>) -> String? {
      let own = self[keyPath: value]
      return own == usual[keyPath: value] ? nil : "\(name)=\(own)"
    }
    let usualQuality = format == .heic ? HEICChoices.usualQuality : usual.quality
    return [
      quality == usualQuality && (copiesJPEGs || format != .jpeg) ? nil : "quality=\(quality)",
      word("compression", \.pngCompression), word("chroma", \.chroma), word("heic", \.heic),
      word("progressive", \.isProgressive), word("optimized", \.isOptimized),
      word("background", \.background), word("srgb", \.convertsToSRGB), word("hdr", \.hdr),
      word("headroom", \.headroom), word("orientation", \.orientation),
      word("orientation-tag", \.keepsOrientationTag), word("strip", \.strip),
      word("small", \.makesThumbnail), word("images", \.images), word("frame", \.frame),
      word("bounds", \.bounds), word("crop", \.crop), word("turn", \.turn),
      word("thumbnail", \.thumbnail), parts.map { "parts=\($0.words)" },
    ].compactMap(\.self)
  }

  /// How long the longer side of a picture may be.
  public var longestSide: Int? {
    get { bounds.map { max($0.width, $0.height) } }
    set { bounds = newValue.map { PictureBounds(width: $0, height: $0) } }
  }
}

public enum OutputFormat: String, Hashable, Sendable, CaseIterable {
  case jpeg, png, webp, ppm, yuv, heic
}

/// How many colour samples a JPEG holds; `auto` keeps what the source has.
public enum ChromaChoice: String, Hashable, Sendable, CaseIterable {
  case auto
  case yuv420 = "420"
  case yuv422 = "422"
  case yuv444 = "444"
}

/// What becomes of HDR.
public enum HDRChoice: String, Hashable, Sendable, CaseIterable {
  /// Gain maps go into JPEGs, and PQ and HLG pictures become JPEGs with one. A PNG keeps PQ and HLG samples.
  case keep
  /// The picture of an SDR display; nothing in the output announces a gain map.
  case drop
  /// Renders the picture that its gain map makes of it, in PQ.
  case apply
  /// PQ and HLG pictures become those of an SDR display; the same as `drop`, for gain maps are made by that already.
  case tonemap
}

/// The source that is believed about how a picture is oriented.
public enum OrientationChoice: String, Hashable, Sendable, CaseIterable {
  case auto, container, exif
}

public enum StripChoice: String, Hashable, Sendable, CaseIterable {
  case nothing, gps, all
}

/// The decoder of HEVC; other codecs have one each. `auto` is our own, and libavcodec for what that one does not know.
public enum DecoderChoice: String, Hashable, Sendable, CaseIterable {
  case auto, intra, libavcodec, libde265
}

/// Which pictures of a file.
public enum ImageChoice: String, Hashable, Sendable, CaseIterable {
  case primary, all
}
