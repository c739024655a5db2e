// SPDX-License-Identifier: MIT

import ApusBytes
import ApusContainers
import ApusFiles
import ApusLive
import ApusMedia
import ApusSamples
import ApusTranscode
import Glibc
import HEVC
import ISOBMFF
import RTMP

/// The input of `stream`: files, once or in a loop; a pipe; or the stream of a server.
struct StreamInput {
  /// The options for reading inputs.
  struct Options {
    var start: MediaTime?
    var frameRate: FrameRate?
    var loops = false
    /// The tracks that are sent.
    var tracks = TrackSelection()
    /// The encoder settings; `nil` sends video and audio unchanged.
    var coding: StreamCoding?
    var limits = Limits()
    /// The video that plays while the input sends nothing, and the time after which it starts.
    var standby: String?
    var stall = MediaTime(milliseconds: 5000)
    var pull = PullOptions()
    /// Returns the input at an address with `rtsp://` and others; `nil` for other names.
    var network: @Sendable (String) throws -> NetworkInput? = { _ in nil }
    var onEvent: @Sendable (InputEvent) -> Void = { _ in }
  }

  var source: any SampleSource & Sendable
  /// Whether the input is live.
  var isLive: Bool
  /// Whether the input can be read later without losing data.
  var canWait: Bool
  var warnings: [String] = []

  /// - Parameter paths: one, or several files.
  init(_ paths: [String], _ options: Options) throws {
    let kinds = try paths.map { try StreamInputKind($0, options) }
    isLive = kinds.contains(where: \.isLive)
    canWait = options.standby == nil && kinds.allSatisfy(\.canWait)
    if isLive {
      let name = paths.first.map(StreamInputKind.name) ?? ""
      guard paths.count == 1 else {
        throw UsageError("several inputs must all be files")
      }
      guard !options.loops, options.opening.start == nil else {
        throw UsageError("\(name) is a live input: --loop, --start and --from need files")
      }
    } else {
      guard options.standby == nil else {
        throw UsageError("--standby is for live inputs: a pipe or an address")
      }
      guard paths.count == 1 || options.opening.start == nil else {
        throw UsageError("--start needs exactly one input")
      }
    }
    guard let first = kinds.first, isLive else {
      source = try Self.files(paths, options, &warnings)
      return
    }
    guard let standby = options.standby else {
      let opened = try first.open(options)
      (source, warnings) = (opened.source, opened.warnings)
      return
    }
    let joined = try StandbySource(
      { try first.open(options) }, reopens: first.canReopen,
      standby: Self.standby(standby, options, &warnings),
      stall: .nanoseconds(options.stall.nanosecondsInHour), options.onEvent)
    source = joined
    warnings += joined.warnings
  }

  /// Opens all files at the start, so that an error in the last one is found now and not in a week.
  private static func files(_ paths: [String], _ options: Options, _ warnings: inout [String])
    throws
    -> any SampleSource & Sendable
  {
    var opens: [SourceList.Open] = []
    var first: (any SampleSource & Sendable)?
    for path in paths {
      let file = try named(path) {
        try path == "-"
          ? standardInput(limit: options.limits.pipe)
          : openInput(path, limit: options.limits.pipe)
      }
      let opened = try open(file, path, options)
      let before = paths.count > 1 ? "\(StreamInputKind.name(path)): " : ""
      warnings += opened.warnings.map { before + $0 }
      if let first {
        try named(path) { try SourceList.check(opened.source.tracks, following: first.tracks) }
      }
      first = first ?? opened.source
      opens.append { try open(file, path, options).source }
    }
    if paths.count == 1, !options.loops, let first { return first }
    let (isOne, onEvent) = (paths.count == 1, options.onEvent)
    return try SourceList(opens, loops: options.loops) { place in
      if !isOne { onEvent(.began(place)) }
    }
  }

  private static func open(_ file: any ByteSource, _ path: String, _ options: Options) throws
    -> OpenedMedia
  {
    try named(path) {
      let input = try MediaInput.open(file, options: options.opening.reading(playlistAt: path))
      return try coded(input, options)
    }
  }

  /// Opens a video or a still picture as the stand-by.
  private static func standby(_ path: String, _ options: Options, _ warnings: inout [String]) throws
    -> StandbySource.OpenStandby
  {
    let file = try named(path) { try openInput(path, limit: options.limits.pipe) }
    let isPhoto = try named(path) {
      try FileKind(of: file).isPhoto || file.majorBrand.map(FileType.itemBrands.contains) ?? false
    }
    if isPhoto {
      let onEvent = options.onEvent
      let picture = try named(path) {
        try StandbyPicture(file, options) { onEvent(.warning("\(path): \($0)")) }
      }
      return { input in try named(path) { try picture.movie(for: input) } }
    }
    let opened = try open(file, path, options)
    warnings += opened.warnings.map { "\(path): \($0)" }
    return { _ in try open(file, path, options).source }
  }

  /// Returns the chosen tracks, re-encoded if requested.
  static func coded(_ input: MediaInput, _ options: Options) throws -> OpenedMedia {
    var input = input
    _ = try input.choose(options.tracks)
    var warnings = input.warnings
    let source = try options.coding?.source(of: input, &warnings) ?? input.source
    let onEvent = options.onEvent
    let reporting = RepairedSource(source) { repairs in
      for repair in repairs { onEvent(.warning(repair)) }
    }
    return OpenedMedia(
      reporting, warnings: warnings + losses(input.source.tracks, source.tracks))
  }

  /// Returns what the stream cannot hold of its pictures, and what re-encoding loses.
  private static func losses(_ read: [CodedTrack], _ sent: [CodedTrack]) -> [String] {
    let kept = sent.compactMap { $0.dolbyVisionLoss(in: "RTMP") }
    return (kept.isEmpty ? read.compactMap(\.dolbyVisionLossInCoding) : kept)
      + read.compactMap { $0.displayLoss(as: $0.name) }
      + sent.compactMap { $0.shapeLoss(as: $0.name, in: "RTMP") }
  }

  /// Adds the name of the input to errors.
  static func named<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error where error is SyntaxError || error is MediaError {
      let failure = MediaError(error)
      throw MediaError(
        failure.kind, Console.failure(of: StreamInputKind.name(path), error),
        remedy: failure.remedy)
    }
  }
}

extension FileKind {
  /// Whether this is a kind of picture.
  fileprivate var isPhoto: Bool {
    [.jpeg, .png, .pixmap, .gif, .bmp, .tiff, .webP, .jpegXL, .jpeg2000].contains(self)
  }
}

extension StreamInput.Options {
  /// The options for opening a file.
  var opening: MediaInput.Options {
    var opening = MediaInput.Options()
    opening.limits = limits
    opening.frameRate = frameRate
    opening.start = start.map { .milliseconds($0.milliseconds) } ?? coding?.settings.start
    opening.isSalvaging = coding?.settings.isSalvaging ?? false
    return opening
  }
}
