// SPDX-License-Identifier: MIT

public import ApusBytes
public import ApusMedia
public import HEIF

/// The options of a photo's conversion.
public struct ConvertOptions: Hashable, Sendable {
  /// The pictures or parts to make from a file.
  public var job = PhotoJob.primary
  /// The format of the output.
  public var format = OutputFormat.jpeg
  /// The quality from 1 to 100: of a JPEG on the scale of libjpeg, of a WebP on that of libwebp, or of a HEIC on that
  /// of libheif.
  public var quality = 90
  /// Whether a picture that has the requested format, and of which no other option requires new samples, is copied
  /// instead of being encoded again with that quality.
  public var copiesPictures = true
  /// The compression level of a PNG: 0 does not compress, 1 is fast, 9 is slow.
  public var pngCompression = 1
  /// The colour subsampling of a JPEG or HEIC.
  public var chroma = ChromaChoice.auto
  /// The options that apply only to a HEIC.
  public var heic = HEICChoices()
  /// Whether a JPEG has several scans, for which the whole picture is kept in memory.
  public var isProgressive = false
  /// Whether a JPEG has Huffman tables made for the picture, for which the whole picture is kept in memory.
  public var isOptimized = false
  /// The background when a picture with alpha becomes one without: red, green, blue.
  public var background: [UInt8] = [255, 255, 255]
  /// Whether colours are converted to sRGB instead of keeping the profile of the source.
  public var convertsToSRGB = false
  /// The treatment of gain maps and of PQ and HLG pictures.
  public var hdr = HDRChoice.keep
  /// The headroom of the display for which `HDRChoice.apply` renders, as a logarithm to base 2; `nil` for the maximum
  /// of the gain map.
  public var headroom: Double?
  /// Whether the conversion fails if a gain map cannot be kept, instead of omitting the map.
  public var isStrictAboutHDR = false
  /// The source of the orientation; `auto` uses Exif only if the container states none.
  public var orientation = OrientationChoice.auto
  /// Whether samples keep their stored orientation, which is recorded in Exif.
  public var keepsOrientationTag = false
  /// The metadata that is removed.
  public var strip = StripChoice.nothing
  /// Whether the thumbnail in Exif is replaced by a new one.
  public var makesThumbnail = false
  /// The decoder of HEVC.
  public var decoder = DecoderChoice.auto
  /// Whether the undamaged part of a broken picture is written and reported as salvaged.
  public var salvages = false
  /// Whether the result is decoded again before the file gets its name.
  public var verifies = false
  /// Whether the contents that the outputs lack are reported (`PhotoReport.losses`), for a caller that removes files.
  public var weighsRemoval = false
  /// The maximum size of a picture; larger ones are reduced.
  public var bounds: PictureBounds?
  /// The part of the picture to use; `nil` for all of it.
  public var crop: PictureCrop?
  /// A rotation to apply to the upright picture, or to the part of it.
  public var turn = Orientation.upright
  /// The treatment of a Live Photo's video; if `nil`, none is looked for.
  public var live: LiveChoice?
  /// The limits on the cost of decoding one file.
  public var limits = PlanLimits()
  /// The limits on reading boxes.
  public var boxLimits = Limits()

  public init() {}

  /// Whether a JPEG is copied when converting to JPEG, unless it is too large, because no option requires a new one.
  var takesJPEGAsItIs: Bool {
    job.thumbnail == nil && job.parts == nil && crop == nil && turn == .upright && copiesPictures
      && strip == .nothing && chroma == .auto && !isProgressive && !isOptimized && !convertsToSRGB
      && hdr == .keep && !makesThumbnail
  }

  /// The options that affect outputs, as text, so that a journal can distinguish runs. Options for reading, checking
  /// and salvaging are not included.
  var choices: [String] {
    let usual = ConvertOptions()
    func word<Value: Hashable>(_ name: String, _ value: KeyPath<ConvertOptions, Value>) -> String? {
      let own = self[keyPath: value]
      return own == usual[keyPath: value] ? nil : "\(name)=\(own)"
    }
    let usualQuality = format == .heic ? HEICChoices.usualQuality : usual.quality
    return [
      quality == usualQuality && (copiesPictures || ![.jpeg, .heic].contains(format))
        ? nil : "quality=\(quality)",
      word("compression", \.pngCompression), word("chroma", \.chroma), word("heic", \.heic),
      word("progressive", \.isProgressive), word("optimized", \.isOptimized),
      word("background", \.background), word("srgb", \.convertsToSRGB), word("hdr", \.hdr),
      word("headroom", \.headroom), word("orientation", \.orientation),
      word("orientation-tag", \.keepsOrientationTag), word("strip", \.strip),
      word("small", \.makesThumbnail), word("bounds", \.bounds), word("crop", \.crop),
      word("turn", \.turn), word("job", \.job),
    ].compactMap(\.self)
  }

  /// The maximum length of a picture's longer side.
  public var longestSide: Int? {
    get { bounds.map { max($0.width, $0.height) } }
    set { bounds = newValue.map { PictureBounds(width: $0, height: $0) } }
  }
}

/// The format of an output; `ppm` and `yuv` are uncompressed samples.
public enum OutputFormat: String, Hashable, Sendable, CaseIterable {
  case jpeg, png, webp, ppm, yuv, heic
}

/// The colour subsampling of the output. `auto` keeps that of the source in a JPEG, and is 4:2:0 in a HEIC unless it is
/// lossless.
public enum ChromaChoice: String, Hashable, Sendable, CaseIterable {
  case auto
  case yuv420 = "420"
  case yuv422 = "422"
  case yuv444 = "444"
}

/// The treatment of HDR.
public enum HDRChoice: String, Hashable, Sendable, CaseIterable {
  /// Gain maps are kept in JPEGs, and PQ and HLG pictures become JPEGs with a gain map. A PNG keeps PQ and HLG samples.
  case keep
  /// The picture is written for SDR displays, and nothing in the output announces a gain map.
  case drop
  /// The gain map is applied to the picture, which is written in PQ.
  case apply
  /// PQ and HLG pictures are converted for SDR displays; the same as `drop`, because that already renders with gain
  /// maps.
  case tonemap
}

/// The source of a picture's orientation.
public enum OrientationChoice: String, Hashable, Sendable, CaseIterable {
  case auto, container, exif
}

/// The metadata to remove: none, GPS coordinates and names of places, or everything except the ICC profile.
public enum StripChoice: String, Hashable, Sendable, CaseIterable {
  case nothing, gps, all
}

/// The decoder of HEVC; other codecs have only one each. `auto` is the built-in one, and libavcodec for streams that it
/// does not support.
public enum DecoderChoice: String, Hashable, Sendable, CaseIterable {
  case auto, intra, libavcodec, libde265
}
