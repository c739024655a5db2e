// SPDX-License-Identifier: MIT

public import ApusBytes
internal import ApusFiles
public import ApusMedia
public import ApusSamples
internal import ISOBMFF

/// An input of coded media, whatever its container.
public struct MediaInput: Sendable {
  /// The options for opening an input.
  public typealias Options = OpeningOptions

  /// The kind of file, found by its contents.
  public let kind: FileKind
  /// The tracks and samples. For a file, a copy of the source reads the samples again from the same position.
  public var source: any SampleSource & Sendable
  /// Warnings for the user: tracks that are left out, times that are assumed.
  public let warnings: [String]
  /// Whether it can be read only once: copies of `source` then share what comes.
  public let isGrowing: Bool

  init(
    _ kind: FileKind, _ source: any SampleSource & Sendable, _ warnings: [String],
    isGrowing: Bool = false
  ) {
    self.kind = kind
    self.source = source
    self.warnings = warnings
    self.isGrowing = isGrowing
  }

  /// Creates an input from the output of a job, which can be read only once.
  package init(
    coded source: any SampleSource & Sendable, kind: FileKind, warnings: [String] = []
  ) {
    self.init(kind, source, warnings, isGrowing: true)
  }

  /// Opens an input by its contents; its name does not matter.
  public static func open(_ source: any ByteSource, options: Options = Options())
    throws -> MediaInput
  {
    let kind = try FileKind(of: source)
    if kind == .isoBMFF {
      var movie = try MovieSource(
        near(source), limits: options.limits, isSalvaging: options.isSalvaging,
        track: options.track)
      if let start = options.start { try movie.begin(at: start) }
      return MediaInput(kind, movie, movie.warnings)
    }
    let opened = try opened(source, of: kind, options)
    guard let start = options.start else {
      return MediaInput(kind, opened.source, opened.warnings, isGrowing: opened.isGrowing)
    }
    guard !opened.isGrowing else {
      throw MediaError(.unsupported, of: .input, "is read as it comes, so it has no later start")
    }
    return MediaInput(kind, try TrimmedSource(opened.source, from: start), opened.warnings)
  }

  /// Opens anything but a movie, which is handled separately because only movies can begin in the middle by themselves.
  private static func opened(_ source: any ByteSource, of kind: FileKind, _ options: Options)
    throws -> OpenedMedia
  {
    for opener in options.openers {
      if let opened = try opener.open(source, of: kind, options: options) { return opened }
    }
    switch kind {
    case .flv:
      let flv = try FLVSource(near(source), limits: options.limits)
      return OpenedMedia(flv, warnings: flv.warnings)
    case .annexB where !(try BareStreamKind.isAVC(source)):
      let stream = try AnnexBSource(
        source, frameRate: options.frameRate, limits: options.limits,
        isSalvaging: options.isSalvaging)
      return OpenedMedia(stream, warnings: stream.warnings)
    default: throw refusal(of: kind)
    }
  }

  /// Adds read-ahead for a file, because samples are small and adjacent.
  private static func near(_ source: any ByteSource) -> any ByteSource {
    (source as? FileSource).map { ReadAheadSource($0) } ?? source
  }

  /// Opens a pipe, or a file that still grows; samples come as soon as they are whole.
  ///
  /// - Parameters:
  ///   - first: the bytes that were read already.
  ///   - pull: waits for the next bytes and returns them; returns `nil` at the end.
  public static func open(
    growing pull: @escaping PullBytes, after first: [UInt8] = [], options: Options = Options()
  ) throws -> MediaInput {
    var prefix = first
    while prefix.count < Self.leastPrefix(prefix), let more = try pull() { prefix += more }
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
    default:
      for opener in options.openers {
        if let opened = try opener.open(growing: pull, after: prefix, of: kind, options: options) {
          return MediaInput(kind, opened.source, opened.warnings, isGrowing: true)
        }
      }
      throw refusal(of: kind, isPipe: true)
    }
  }

  /// Returns the number of bytes that tell what a pipe is: two packets of a transport stream, and little of anything else,
  /// because more may be long in coming.
  private static func leastPrefix(_ first: [UInt8]) -> Int { first.first == 0x47 ? 189 : 16 }

  private static func refusal(of kind: FileKind, isPipe: Bool = false) -> MediaError {
    let known =
      isPipe
      ? "only FLV, MPEG-TS, MPEG-PS, Matroska, Ogg and bare HEVC streams can be read from a pipe"
      : "video and audio are read from containers and from playlists (HLS)"
    return MediaError(.unsupported, of: .input, "is \(kind.description); \(known)")
  }
}
