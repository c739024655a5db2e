// SPDX-License-Identifier: MIT

public import Bytes
internal import Files
public import HEVC
internal import ISOBMFF
public import Media

/// An input of coded media, whatever its container.
public struct MediaInput: Sendable {
  public struct Options: Sendable {
    /// Of a bare stream, whatever it says itself.
    public var frameRate: FrameRate?
    /// Where to begin: at the last key frame that is shown no later.
    public var start: RationalTime?
    /// The only track of a movie that is taken, by its ID.
    public var track: UInt32?
    /// Whether what is whole of a damaged input is taken, instead of refusing it.
    public var isSalvaging = false
    public var limits = Limits()
    /// Opens what a playlist names, by the path from its folder; `nil` refuses playlists.
    public var opener: HLSSource.Opener?
    /// Whether a playlist may name files outside its folder.
    public var mayLeaveFolder = false

    public init() {}
  }

  public let kind: FileKind
  public var source: any SampleSource & Sendable
  /// What a person should know of it: tracks that are left out, times that are assumed.
  public let warnings: [String]
  /// Whether it can be read once only: copies of `source` share what comes.
  public let isGrowing: Bool

  private init(
    _ kind: FileKind, _ source: any SampleSource & Sendable, _ warnings: [String],
    isGrowing: Bool = false
  ) {
    self.kind = kind
    self.source = source
    self.warnings = warnings
    self.isGrowing = isGrowing
  }

  /// What comes out of a job, which can be pulled once.
  init(coded source: any SampleSource & Sendable, kind: FileKind) {
    self.init(kind, source, [], isGrowing: true)
  }

  /// Opens an input by its contents; its name is not asked.
  public static func open(_ source: any ByteSource, options: Options = Options())
    throws(SyntaxError) -> MediaInput
  {
    let kind = try FileKind(of: source)
    let opened: any SampleSource & Sendable
    let warnings: [String]
    switch kind {
    case .isoBMFF:
      var movie = try MovieSource(
        near(source), limits: options.limits, isSalvaging: options.isSalvaging,
        track: options.track)
      if let start = options.start { try movie.begin(at: start) }
      return MediaInput(kind, movie, movie.warnings)
    case .flv:
      let flv = try FLVSource(near(source), limits: options.limits)
      (opened, warnings) = (flv, flv.warnings)
    case .annexB where BareStreamKind.isAVC(try source.bytes(in: 0..<min(source.count, 1 << 16))):
      let foreign = try ForeignSource(
        source, frameRate: options.frameRate, limits: options.limits)
      (opened, warnings) = (foreign, foreign.warnings)
    case .annexB:
      let stream = try AnnexBSource(
        source, frameRate: options.frameRate, limits: options.limits,
        isSalvaging: options.isSalvaging)
      (opened, warnings) = (stream, stream.warnings)
    case .m3u8:
      guard let opener = options.opener else { throw refusal(of: kind) }
      let presentation = try HLSSource(
        source, limits: options.limits, mayLeave: options.mayLeaveFolder, opener: opener)
      (opened, warnings) = (presentation, presentation.warnings)
    case let kind where kind.mayBeForeign:
      let foreign = try ForeignSource(source, limits: options.limits)
      (opened, warnings) = (foreign, foreign.warnings)
    default: throw refusal(of: kind)
    }
    guard let start = options.start else { return MediaInput(kind, opened, warnings) }
    return MediaInput(kind, try TrimmedSource(opened, from: start), warnings)
  }

  /// Samples are small and lie one behind the other.
  private static func near(_ source: any ByteSource) -> any ByteSource {
    (source as? FileSource).map { ReadAheadSource($0) } ?? source
  }

  /// Opens a pipe, or a file that still grows; samples come as soon as they are whole.
  ///
  /// - Parameters:
  ///   - first: what was read of it already.
  ///   - pull: the next bytes of it; waits for them, and answers `nil` at the end.
  public static func open(
    growing pull: @escaping PullBytes, after first: [UInt8] = [], options: Options = Options()
  ) throws(SyntaxError) -> MediaInput {
    var prefix = first
    while prefix.count < 16, let more = try pull() { prefix += more }
    let kind = FileKind(prefix: prefix)
    let bytes = PulledBytes(prefix, then: pull)
    switch kind {
    case .flv:
      let flv = try FLVStreamSource(bytes, limits: options.limits)
      return MediaInput(kind, flv, flv.warnings, isGrowing: true)
    case .annexB:
      let stream = try AnnexBSource(
        growing: bytes, frameRate: options.frameRate, limits: options.limits)
      return MediaInput(kind, stream, stream.warnings, isGrowing: true)
    default: throw refusal(of: kind, isPipe: true)
    }
  }

  private static func refusal(of kind: FileKind, isPipe: Bool = false) -> SyntaxError {
    let known =
      isPipe
      ? "from a pipe FLV and bare HEVC streams (Annex B) are"
      : "containers of video and sound, and playlists of them (HLS) are"
    return SyntaxError(
      .unsupported, field: "input", offset: 0,
      detail: "is \(kind.description), which is not read; \(known)")
  }
}

extension FileKind {
  /// Whether libavformat is asked for it.
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
