// SPDX-License-Identifier: MIT

internal import AVC
internal import ApusBytes
public import ApusMedia
internal import ApusSamples
internal import HEIF
public import HEVC
internal import ISOBMFF

/// The facts about the pictures of a track.
public struct VideoFacts: Hashable, Sendable {
  /// The size as coded, before any cropping or rotation.
  public var codedSize: PixelSize
  /// The size after clean aperture, pixel shape and rotation.
  public var displaySize: PixelSize
  /// The rotation clockwise, in degrees, after mirroring.
  public var rotation = 0
  /// Whether the pictures are mirrored, before they are rotated.
  public var isMirrored = false
  /// Whether the track header's matrix does more than rotate and mirror.
  public var isTransformed = false
  /// The sample aspect ratio; `nil` if it is unknown.
  public var sampleAspect: SampleAspect?
  /// The field order; `nil` if unknown.
  public var fields: FieldOrder?
  /// The number of views: 2 for stereo.
  public var views = 1
  /// The profile, chroma format and bit depth of the codec.
  public var format: CodedFormat
  /// The colors of the pictures.
  public var colour: ColourFacts

  /// - Parameter headers: the parameter sets in the record of the entry, if it has one.
  init(
    _ visual: VisualSampleEntry, _ entry: TrackSampleEntry, _ header: TrackHeader?,
    _ headers: StreamHeaders?
  ) {
    codedSize = PixelSize(width: Int(visual.width), height: Int(visual.height))
    let boxes = entry.node.children
    format = CodedFormat(boxes, headers)
    var size = codedSize
    if let aperture = entry.located.box(at: "clap", as: CleanAperture.self),
      let width = aperture.width, let height = aperture.height
    {
      size = PixelSize(width: Int(width), height: Int(height))
    }
    if let shape = entry.located.box(at: "pasp", as: PixelAspectRatio.self), shape.vSpacing > 0,
      shape.hSpacing > 0
    {
      sampleAspect = SampleAspect(Int(shape.hSpacing), Int(shape.vSpacing))
      let width = Double(size.width) * Double(shape.hSpacing) / Double(shape.vSpacing)
      size.width = Int(min(width.rounded(), 0x1p32))
    }
    colour = ColourFacts(boxes, headers)
    if let record = entry.located.box(at: "avcC", as: AVCConfiguration.self) {
      colour.add(PictureTraits(record), from: .vui)
    }
    var coded = PictureTraits()
    for box in boxes { coded.complete(fromBox: box.box) }
    colour.add(coded, from: .vui)
    var traits = PictureTraits()
    if let headers { traits.complete(from: headers) }
    if let record = entry.located.box(at: "avcC", as: AVCConfiguration.self) {
      traits = PictureTraits(record)
    }
    fields =
      traits.fields
      ?? entry.located.box(at: "fiel", as: FieldHandling.self).flatMap { FieldOrder($0) }
    sampleAspect = sampleAspect ?? traits.sampleAspect
    let eyes = entry.located.box(at: "vexu", "eyes", "stri", as: StereoView.self)
    let isStereo = eyes.map { $0.hasLeftEyeView && $0.hasRightEyeView } ?? false
    if isStereo || headers?.upperSequences.isEmpty == false { views = 2 }
    displaySize = size
    place(header?.matrix ?? TransformationMatrix())
  }

  /// Applies the rotation of a matrix to the facts.
  private mutating func place(_ matrix: TransformationMatrix) {
    switch (matrix.a.signum(), matrix.b.signum(), matrix.c.signum(), matrix.d.signum()) {
    case (1, 0, 0, 1): break
    case (0, 1, -1, 0): rotation = 90
    case (-1, 0, 0, -1): rotation = 180
    case (0, -1, 1, 0): rotation = 270
    case (-1, 0, 0, 1): isMirrored = true
    case (1, 0, 0, -1): (isMirrored, rotation) = (true, 180)
    case (0, 1, 1, 0): (isMirrored, rotation) = (true, 270)
    case (0, -1, -1, 0): (isMirrored, rotation) = (true, 90)
    default: isTransformed = true
    }
    if rotation % 180 == 90 {
      displaySize = PixelSize(width: displaySize.height, height: displaySize.width)
    }
  }

  /// Creates the facts from those of a source about a track; its parameter sets take precedence.
  init(_ track: CodedTrack, _ facts: FormatFacts) {
    codedSize = facts.size ?? PixelSize(width: track.width, height: track.height)
    format = facts.format
    colour = facts.colour
    displaySize = codedSize
    (sampleAspect, fields, views) = (facts.aspect, facts.fields, facts.views)
    if let aspect = facts.aspect, aspect.horizontal > 0, aspect.vertical > 0 {
      let width =
        Double(displaySize.width) * Double(aspect.horizontal) / Double(aspect.vertical)
      displaySize.width = Int(min(width.rounded(), 0x1p32))
    }
    place(track.matrix)
  }

  /// Creates the facts from the parameter sets of a byte stream.
  init(_ sps: SequenceParameterSet, _ headers: StreamHeaders) {
    codedSize = sps.format.codedSize
    format = CodedFormat(sps)
    displaySize = sps.displaySize ?? codedSize
    var traits = PictureTraits()
    traits.complete(from: headers)
    (sampleAspect, fields) = (traits.sampleAspect, traits.fields)
    if !headers.upperSequences.isEmpty { views = 2 }
    if let shape = sps.sampleAspectRatio, shape.width > 0, shape.height > 0 {
      let width = Double(displaySize.width) * Double(shape.width) / Double(shape.height)
      displaySize.width = Int(min(width.rounded(), 0x1p32))
    }
    colour = ColourFacts([], headers)
  }
}

extension FieldOrder: FactValue {}

extension VideoFacts: Described {
  package static let title = "video"

  package static func describe<V: FactVisitor>(_ v: inout V) where V.Subject == VideoFacts {
    v.required("coded_width", "The width before sample aspect ratio and rotation.") {
      $0.codedSize.width
    }
    v.required("coded_height", "The height before sample aspect ratio and rotation.") {
      $0.codedSize.height
    }
    v.required("display_width", "The displayed width.") { $0.displaySize.width }
    v.required("display_height", "The displayed height.") { $0.displaySize.height }
    v.required("rotation", "Degrees clockwise, after mirroring.") { $0.rotation }
    v.required("mirrored", "Whether left and right are swapped.") { $0.isMirrored }
    v.optional("sample_aspect", "The sample aspect ratio: `4:3`.") {
      $0.sampleAspect.map { "\($0.horizontal):\($0.vertical)" }
    }
    v.optional("field_order", "Progressive, or the field that comes first.") {
      $0.fields
    }
    v.optional("views", "The number of views, if there are several.") {
      $0.views > 1 ? $0.views : nil
    }
    v.facts { $0.format }
    v.required("colour", "The colour of its samples.") { $0.colour }
  }
}
