// SPDX-License-Identifier: MIT

internal import ApusBytes
public import ApusMedia
internal import ApusSamples
internal import HEVC
internal import ISOBMFF

/// The colour and brightness facts of pictures.
public struct ColourFacts: Hashable, Sendable {
  /// Code points of ISO/IEC 23091-2.
  public struct CodePoints: Hashable, Sendable {
    /// `colour_primaries`; 2 if unspecified.
    public var primaries: UInt16
    /// `transfer_characteristics`; 2 if unspecified.
    public var transfer: UInt16
    /// `matrix_coefficients`; 2 if unspecified.
    public var matrix: UInt16
    /// Whether samples use the full range of values (`video_full_range_flag`).
    public var isFullRange: Bool
  }

  /// The place in the file that specifies the colors.
  public enum Source: String, Hashable, Sendable, CaseIterable {
    case colr
    case vui = "VUI"
    /// A container other than a movie.
    case container
  }

  /// The code points; `nil` where none are specified.
  public var codePoints: CodePoints?
  /// The place from which the code points come; `nil` where there are none.
  public var source: Source?
  /// Whether there is an ICC profile, in a `colr` box or the container's own form.
  public var hasICCProfile = false
  /// The luminance of the mastering display, in candela per square metre.
  public var masteringLuminance: ClosedRange<Double>?
  /// The brightest sample and the brightest average, in candela per square metre.
  public var maxContentLight: Int?
  /// The brightest average of a picture, in candela per square metre; `nil` where unknown.
  public var maxAverageLight: Int?
  /// The Dolby Vision configuration; `nil` if there is none.
  public var dolbyVision: DolbyVision?
  /// Whether the first pictures contain metadata for mapping each scene to darker displays: SMPTE ST 2094-40.
  public var hasHDR10Plus = false

  /// - Parameters:
  ///   - boxes: the boxes in the sample entry, or the properties of an item.
  ///   - headers: the parameter sets, for facts that the boxes do not contain.
  init(_ boxes: [Node], _ headers: StreamHeaders?) {
    for box in boxes { add(box) }
    if let headers { add(headers) }
  }

  init() {}

  /// Adds the facts that are not known yet.
  mutating func add(_ traits: PictureTraits, from source: Source) {
    if codePoints == nil, let colour = traits.colour {
      codePoints = CodePoints(
        primaries: UInt16(clamping: colour.primaries), transfer: UInt16(clamping: colour.transfer),
        matrix: UInt16(clamping: colour.matrix), isFullRange: colour.isFullRange)
      self.source = source
    }
    if !traits.profile.isEmpty { hasICCProfile = true }
    if masteringLuminance == nil, let display = traits.masteringDisplay {
      setMastering(min: display.minimumLuminance, max: display.maximumLuminance)
    }
    if maxContentLight == nil, let light = traits.contentLight {
      (maxContentLight, maxAverageLight) = (Int(light.maximum), Int(light.maximumAverage))
    }
    if dolbyVision == nil { dolbyVision = traits.dolbyVision }
  }

  private mutating func add(_ node: Node) {
    switch node.box {
    case let colour as ColourInformation:
      switch colour.colourType {
      case "nclx", "nclc":
        codePoints = CodePoints(
          primaries: colour.colourPrimaries, transfer: colour.transferCharacteristics,
          matrix: colour.matrixCoefficients, isFullRange: colour.fullRangeFlag)
        source = .colr
      case "rICC", "prof": hasICCProfile = true
      default: break
      }
    case let volume as MasteringDisplayColourVolumeBox:
      setMastering(min: volume.minLuminance, max: volume.maxLuminance)
    case let level as ContentLightLevelBox:
      (maxContentLight, maxAverageLight) = (Int(level.max), Int(level.maxPictureAverage))
    case let vision as DolbyVisionConfiguration: dolbyVision = DolbyVision(vision)
    default: break
    }
  }

  private mutating func add(_ headers: StreamHeaders) {
    let usability = headers.sequences.lazy.map(\.payload).first {
      $0.vuiParametersPresentFlag && $0.vui.videoSignalTypePresentFlag
    }?.vui
    if codePoints == nil, let usability {
      codePoints = CodePoints(
        primaries: UInt16(usability.colourPrimaries),
        transfer: UInt16(usability.transferCharacteristics),
        matrix: UInt16(usability.matrixCoeffs), isFullRange: usability.videoFullRangeFlag)
      source = .vui
    }
    for message in headers.messages where message.header.nalUnitType == .prefixSEI {
      if masteringLuminance == nil,
        let volume = message.payload.first(MasteringDisplayColourVolume.self)
      {
        setMastering(
          min: volume.minDisplayMasteringLuminance, max: volume.maxDisplayMasteringLuminance)
      }
      if maxContentLight == nil, let level = message.payload.first(ContentLightLevel.self) {
        maxContentLight = Int(level.maxContentLightLevel)
        maxAverageLight = Int(level.maxPicAverageLightLevel)
      }
      if case .hdr10Plus = message.payload.first(RegisteredUserData.self)?.content {
        hasHDR10Plus = true
      }
    }
  }

  mutating func setMastering(min: UInt32, max: UInt32) {
    guard min <= max else { return }
    masteringLuminance = Double(min) / 10_000...Double(max) / 10_000
  }

  /// The kind of high dynamic range: `Dolby Vision 8.4`, `HDR10`, `PQ`, `HLG`; `nil` if there is none.
  public var dynamicRange: String? {
    let transfer: String? =
      switch VideoRange(transfer: codePoints.map { Int($0.transfer) }) {
      case .perceptualQuantizer:
        masteringLuminance != nil || maxContentLight != nil ? "HDR10" : "PQ"
      case .hybridLogGamma: "HLG"
      case .standard: nil
      }
    guard let name = dolbyVision?.name else { return transfer }
    return transfer.map { "\(name), \($0)" } ?? name
  }
}

/// Names of code points: ISO/IEC 23091-2, Tables 2 to 4.
public enum ColourName {
  /// Returns the name of `colour_primaries`, or `unspecified`, or `reserved` with the code.
  public static func primaries(_ code: UInt16) -> String {
    switch code {
    case 1: "BT.709"
    case 4: "BT.470 M"
    case 5: "BT.601 625"
    case 6: "BT.601 525"
    case 7: "SMPTE 240M"
    case 8: "film"
    case 9: "BT.2020"
    case 10: "SMPTE 428"
    case 11: "DCI-P3"
    case 12: "Display P3"
    case 22: "EBU 3213"
    default: unnamed(code)
    }
  }

  /// Returns the name of `transfer_characteristics`, or `unspecified`, or `reserved` with the code.
  public static func transfer(_ code: UInt16) -> String {
    switch code {
    case 1: "BT.709"
    case 4: "gamma 2.2"
    case 5: "gamma 2.8"
    case 6: "BT.601"
    case 7: "SMPTE 240M"
    case 8: "linear"
    case 9, 10: "logarithmic"
    case 11: "xvYCC"
    case 12: "BT.1361"
    case 13: "sRGB"
    case 14, 15: "BT.2020"
    case 16: "PQ"
    case 17: "SMPTE 428"
    case 18: "HLG"
    default: unnamed(code)
    }
  }

  /// Returns the name of `matrix_coefficients`, or `unspecified`, or `reserved` with the code.
  public static func matrix(_ code: UInt16) -> String {
    switch code {
    case 0: "RGB"
    case 1: "BT.709"
    case 4: "FCC"
    case 5, 6: "BT.601"
    case 7: "SMPTE 240M"
    case 8: "YCgCo"
    case 9: "BT.2020"
    case 10: "BT.2020 constant"
    case 11: "SMPTE 2085"
    case 12: "chromaticity"
    case 13: "chromaticity constant"
    case 14: "ICtCp"
    default: unnamed(code)
    }
  }

  private static func unnamed(_ code: UInt16) -> String {
    code == 2 ? "unspecified" : "reserved \(code)"
  }
}

// MARK: - Declaration

extension ColourFacts.Source: FactValue {}

extension ColourFacts: Described {
  package static let title = "colour"

  package static func describe<V: FactVisitor>(_ v: inout V) where V.Subject == ColourFacts {
    v.required("dynamic_range", "`SDR`, `HLG`, `PQ`, `HDR10`, or a profile of Dolby Vision.") {
      $0.dynamicRange ?? "SDR"
    }
    v.optional("source", "The source of the code points.") {
      $0.codePoints == nil ? nil : $0.source
    }
    v.optional("primaries", "A code point of H.273.") { $0.codePoints?.primaries }
    v.optional("primaries_name", "The name of the code point.") {
      $0.codePoints.map { ColourName.primaries($0.primaries) }
    }
    v.optional("transfer", "A code point of H.273.") { $0.codePoints?.transfer }
    v.optional("transfer_name", "The name of the code point.") {
      $0.codePoints.map { ColourName.transfer($0.transfer) }
    }
    v.optional("matrix", "A code point of H.273.") { $0.codePoints?.matrix }
    v.optional("matrix_name", "The name of the code point.") {
      $0.codePoints.map { ColourName.matrix($0.matrix) }
    }
    v.optional("full_range", "Whether samples have full range.") {
      $0.codePoints?.isFullRange
    }
    v.required("icc_profile", "Whether there is an ICC profile.") { $0.hasICCProfile }
    v.optional("mastering_min", "The minimum luminance of the mastering display, in cd/m².") {
      $0.masteringLuminance?.lowerBound
    }
    v.optional("mastering_max", "The maximum luminance of the mastering display, in cd/m².") {
      $0.masteringLuminance?.upperBound
    }
    v.optional("max_cll", "The brightest sample, in cd/m².") { $0.maxContentLight }
    v.optional("max_fall", "The brightest average of a frame, in cd/m².") { $0.maxAverageLight }
    v.optional("dolby_vision_profile", "The profile of Dolby Vision.") {
      ($0.dolbyVision?.profile).map { Int($0) }
    }
    v.optional("dolby_vision_level", "The level of Dolby Vision.") {
      ($0.dolbyVision?.level).map { Int($0) }
    }
    v.optional("dolby_vision_compatibility", "The compatibility ID of the base layer.") {
      ($0.dolbyVision?.compatibility).map { Int($0) }
    }
    v.optional("hdr10_plus", "True if the first pictures have HDR10+ metadata.") {
      $0.hasHDR10Plus ? true : nil
    }
  }
}
