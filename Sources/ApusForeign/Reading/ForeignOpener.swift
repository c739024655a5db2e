// SPDX-License-Identifier: MIT

public import ApusBytes
public import ApusMedia
public import ApusSamples
internal import Synchronization

/// Opens, with libavformat, inputs that no other opener reads: Matroska, transport streams, AVI, bare H.264 streams and
/// more.
public struct ForeignOpener: MediaOpener {
  /// Creates an opener; libavformat is loaded when an input needs it.
  public init() {}

  /// Opens an input with libavformat; returns `nil` for kinds that other openers read.
  public func open(_ source: any ByteSource, of kind: FileKind, options: OpeningOptions)
    throws -> OpenedMedia?
  {
    let isBareAVC = kind == .annexB ? try BareStreamKind.isAVC(source) : false
    guard isBareAVC || kind.mayBeForeign else { return nil }
    let foreign = try ForeignSource(
      source, frameRate: isBareAVC ? options.frameRate : nil, limits: options.limits)
    return OpenedMedia(foreign, warnings: foreign.warnings)
  }

  /// Opens with libavformat what grows and can be read from its beginning on; returns `nil` for other kinds.
  public func open(
    growing pull: @escaping @Sendable () throws -> [UInt8]?, after first: [UInt8],
    of kind: FileKind, options: OpeningOptions
  ) throws -> OpenedMedia? {
    guard [.mpegTS, .mpegPS, .matroska, .ogg].contains(kind) else { return nil }
    let waiting = Mutex<[UInt8]?>(first)
    let live = try ForeignLiveSource(
      { () throws(MediaError) in
        if let first = waiting.withLock({ $0.take() }) { return first }
        do { return try pull() } catch { throw MediaError(error) }
      }, limits: options.limits)
    return OpenedMedia(live, warnings: live.warnings)
  }
}

extension FileKind {
  /// Whether libavformat may be able to read it.
  fileprivate var mayBeForeign: Bool {
    switch self {
    case .isoBMFF, .flv, .annexB: false
    case .jpeg, .png, .pixmap, .gif, .bmp, .tiff, .webP, .jpegXL, .jpeg2000, .hevcRecord, .y4m:
      false
    case .pdf, .zip, .gzip, .xml, .m3u8, .empty: false
    case .matroska, .mpegTS, .mpegPS, .avi, .wave, .riff, .ogg, .adts, .mp3, .unknown: true
    }
  }
}
