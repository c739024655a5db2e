// SPDX-License-Identifier: MIT

internal import ApusBytes
public import ApusMedia
internal import ApusRaster

/// The part of a JPEG before its first scan: ITU-T T.81, B.2.
public struct JPEGHeader: Hashable, Sendable {
  /// A marker with its parameters.
  public struct Segment: Hashable, Sendable {
    /// The second byte of the marker, such as 0xE1 for APP1.
    public var marker: UInt8
    /// The range of its parameters, without the marker and the length.
    public var body: Range<Int>
  }

  /// A component of the frame: ITU-T T.81, B.2.2.
  public struct Component: Hashable, Sendable {
    /// The identifier by which scans select the component.
    public var identifier: UInt8
    /// The horizontal sampling factor.
    public var across: Int
    /// The vertical sampling factor.
    public var down: Int
  }

  /// All segments between SOI and SOS, in order.
  public private(set) var segments: [Segment] = []
  /// The width in samples.
  public private(set) var width = 0
  /// The height in samples; 0 if a `DNL` segment after the first scan states it.
  public private(set) var height = 0
  /// The number of bits per sample.
  public private(set) var bitDepth = 0
  /// The components in the order of the frame header.
  public private(set) var components: [Component] = []
  /// Whether the frame is in progressive mode.
  public private(set) var isProgressive = false
  /// The number of MCUs in a restart interval; 0 for none.
  public private(set) var restartInterval = 0
  /// The offset of the first scan's entropy-coded data.
  public private(set) var scanStart = 0
  /// Whether the components are red, green and blue, by the rules of libjpeg: JFIF is never RGB, otherwise a segment of
  /// Adobe's decides and, if there is neither, the identifiers do.
  public var isRGB: Bool {
    guard components.count == 3, !hasJFIF else { return false }
    return adobeTransform.map { $0 == 0 } ?? (components.map(\.identifier) == Array("RGB".utf8))
  }
  private var hasJFIF = false
  private var adobeTransform: UInt8?

  /// - Parameter bytes: the JPEG, at least up to its first scan.
  public init(_ bytes: [UInt8]) throws(MediaError) {
    guard bytes.starts(with: [0xFF, 0xD8]) else {
      throw MediaError(.corrupt, "is no JPEG: does not begin with SOI")
    }
    var at = 2
    while true {
      let segment = try Self.segment(bytes, &at)
      switch segment.marker {
      case 0xDA:
        guard !components.isEmpty else {
          throw MediaError(.corrupt, "JPEG: a scan at byte \(at) comes before the frame header")
        }
        scanStart = at
        return
      case let code where JPEGMarker(code: code).isFrame:
        try readFrame(bytes[segment.body], code)
      case 0xE0 where JFIFHeader(bytes[segment.body]) != nil: hasJFIF = true
      case 0xEE where bytes[segment.body].starts(with: JPEGAdobeData.identifier):
        if let adobe = JPEGAdobeData(reading: bytes[segment.body]) {
          adobeTransform = adobe.transform
        }
      case 0xDD where segment.body.count == JPEGRestartInterval.size:
        let segment = JPEGRestartInterval(reading: bytes[segment.body])
        restartInterval = segment.map { Int($0.interval) } ?? 0
      default: break
      }
      segments.append(segment)
    }
  }

  /// The chroma subsampling of three components; `nil` if it has no name here.
  public var chroma: Chroma? {
    guard let first = components.first else { return nil }
    guard components.count > 1 else { return .monochrome }
    guard components.count == 3, components[1].across == components[2].across,
      components[1].down == components[2].down
    else { return nil }
    return Chroma.allCases.first {
      $0 != .monochrome && first.across == components[1].across << $0.shiftX
        && first.down == components[1].down << $0.shiftY
    }
  }

  private static func segment(_ bytes: [UInt8], _ at: inout Int) throws(MediaError) -> Segment {
    guard at < bytes.count else {
      throw MediaError(.incomplete, "JPEG: ends at byte \(at), before the first scan")
    }
    guard bytes[at] == 0xFF else {
      throw MediaError(.corrupt, "JPEG: no marker at byte \(at)")
    }
    // A marker may follow any number of fill bytes: B.1.1.2.
    guard let code = bytes[at...].firstIndex(where: { $0 != 0xFF }),
      let head = JPEGSegmentHeader(reading: bytes[(code - 1)...].prefix(JPEGSegmentHeader.size))
    else {
      throw MediaError(.incomplete, "JPEG: ends in the marker at byte \(at)")
    }
    let length = Int(head.length)
    guard length >= 2, code + 1 + length <= bytes.count else {
      throw MediaError(
        length < 2 ? .corrupt : .incomplete,
        "JPEG: the segment at byte \(at) says it has \(length) bytes, \(bytes.count - code - 1) are "
          + "there")
    }
    at = code + 1 + length
    return Segment(marker: head.marker.code, body: code + 3..<at)
  }

  /// Reads the frame header: B.2.2.
  private mutating func readFrame(_ body: ArraySlice<UInt8>, _ marker: UInt8) throws(MediaError) {
    guard components.isEmpty, let frame = JPEGFrameHeader(reading: body),
      !frame.components.isEmpty, frame.byteCount == body.count
    else {
      throw MediaError(.corrupt, "JPEG: the frame header at byte \(body.startIndex) is not right")
    }
    bitDepth = Int(frame.size.precision)
    (width, height) = (Int(frame.size.samplesPerLine), Int(frame.size.lines))
    isProgressive = [0xC2, 0xC6, 0xCA, 0xCE].contains(marker)
    components = frame.components.map {
      Component(identifier: $0.identifier, across: Int($0.across), down: Int($0.down))
    }
  }
}
