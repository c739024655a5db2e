// SPDX-License-Identifier: MIT

internal import ApusBytes
public import ApusMedia
internal import ApusMetadata
internal import HEIF
public import HEVC

/// The gain map of a picture: its item, and its parameters.
public struct GainMapFacts: Sendable {
  /// The item of the map; 0 for one after a JPEG, or one that could not be found.
  public var item: UInt32
  /// The size of the map as stored, before any rotation.
  public var size: PixelSize?
  /// The parameters of the map; `nil` if they cannot be read, in which case `problem` has the reason.
  public var parameters: GainMapParameters?
  /// The format by which the map is described; `nil` if its parameters cannot be read.
  public var origin: GainMapOrigin?
  /// The headroom: the peak of the HDR picture relative to white.
  public var headroom: Double?
  /// The reason why the map cannot be used, as text; `nil` if it can.
  public var problem: String?

  /// Returns `nil` for a picture without a gain map.
  init?(ofPrimaryIn file: PhotoFile) {
    guard let id = file.graph.primaryID else { return nil }
    let picture = PhotoPicture(.item(id), isPrimary: true)
    item = 0
    do throws(SyntaxError) {
      guard let found = try file.gainMap(of: picture), let map = found.mapID else { return nil }
      item = map
      size = file.graph.item(map).flatMap { ItemFacts.size(of: $0) }
      let exif = try file.metadata(of: picture).exif
      describe { () throws(MediaError) in
        try GainMapDescription(
          toneMap: found.toneMap, xmp: found.xmp, exif: exif, isApple: found.kind == .apple)
      }
    } catch {
      problem = error.description
    }
  }

  /// Reads the map that follows a JPEG; `nil` if there is none.
  init?(behind picture: JPEGSegments, in source: any ByteSource) {
    item = 0
    do throws(SyntaxError) {
      guard let map = try JPEGGainMap(behind: picture, in: source) else { return nil }
      size = try JPEGSegments(map.data).frameSize.map {
        PixelSize(width: $0.width, height: $0.height)
      }
      describe { () throws(MediaError) in
        try GainMapDescription(
          toneMap: nil, segment: map.segment, xmp: map.xmp, exif: picture.metadata.exif,
          isApple: map.isApple)
      }
    } catch {
      problem = error.description
    }
  }

  private mutating func describe(_ read: () throws(MediaError) -> GainMapDescription) {
    do throws(MediaError) {
      let description = try read()
      parameters = description.parameters
      origin = description.origin
      headroom = description.headroom
    } catch {
      problem = error.message
    }
  }
}

// MARK: - Declaration

extension GainMapOrigin: FactValue {}

extension GainMapFacts: Described {
  package static let title = "gain_map"

  package static func describe<V: FactVisitor>(_ v: inout V) where V.Subject == GainMapFacts {
    v.required("item", "The ID of the gain map; 0 if it is not an item.") { $0.item }
    v.optional("problem", "The reason why it cannot be applied.") { $0.problem }
    v.optionalFacts { $0.application }
  }

  private var application: GainMapApplication? {
    guard let parameters, let headroom, let origin else { return nil }
    return GainMapApplication(parameters: parameters, headroom: headroom, origin: origin)
  }
}

/// The parameters of a gain map.
struct GainMapApplication: Described {
  var parameters: GainMapParameters
  var headroom: Double
  var origin: GainMapOrigin

  static let title = "gain_map_application"

  static func describe<V: FactVisitor>(_ v: inout V) where V.Subject == GainMapApplication {
    v.required("origin", "The source of the parameters.") { $0.origin }
    v.required("headroom", "The headroom: the peak of the HDR picture relative to white.") {
      $0.headroom
    }
    v.required("base_hdr_headroom", "As defined in ISO 21496-1.") { $0.parameters.baseHeadroom }
    v.required("alternate_hdr_headroom", "As defined in ISO 21496-1.") {
      $0.parameters.alternateHeadroom
    }
    v.required("use_base_colour_space", "As defined in ISO 21496-1.") {
      $0.parameters.usesBaseColour
    }
    v.required("channels", "The parameters, for all colours or for each.") {
      $0.parameters.channels
    }
  }
}

extension GainMapParameters.Channel: Described {
  package static let title = "gain_map_channel"

  package static func describe<V: FactVisitor>(_ v: inout V)
  where V.Subject == GainMapParameters.Channel {
    v.required("gain_map_min", "As defined in ISO 21496-1.") { $0.minimum }
    v.required("gain_map_max", "As defined in ISO 21496-1.") { $0.maximum }
    v.required("gamma", "As defined in ISO 21496-1.") { $0.gamma }
    v.required("base_offset", "As defined in ISO 21496-1.") { $0.baseOffset }
    v.required("alternate_offset", "As defined in ISO 21496-1.") { $0.alternateOffset }
  }
}
