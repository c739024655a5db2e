// SPDX-License-Identifier: MIT

internal import Bytes
internal import Files
public import Flow
internal import ISOBMFF
public import Media

/// A movie in fragments that outlives whatever ends the process, until another file is made of it.
public struct PartFile: SampleOutput, ~Copyable {
  /// What an output that is written over time is made with.
  public struct Options: Sendable {
    /// How many of the first samples another part holds already, whose place this one takes as soon as it holds them
    /// itself; `nil` where it is the first.
    public var kept: Int?
    /// Called once, when others may go on with the part: with its path, and the time of samples at which it begins.
    public var onBegun: @Sendable (_ path: String, _ origin: RationalTime) throws -> Void =
      { _, _ in }

    public init() {}
  }

  /// The path at which it is now.
  public var path: String { file.path }
  /// The time of samples at which it begins, once that is known.
  var origin: RationalTime? { fragments.origin }

  private let file: GrowingFile
  private var fragments: FragmentedMovieOutput<DescriptorWriter>
  private let options: Options
  /// The path at which it is in the end.
  private let place: String
  private var samples = 0
  /// How many bytes there were when all that is kept had come.
  private var keptCount: Int?
  private var isTold = false

  /// Begins a part of the movie that `path` names; `nil` where there is no name for it. What another process left of
  /// a movie of that name stays, unless it is what is kept.
  ///
  /// - Parameter target: `mp4` or `mov`.
  public init?(
    of path: String, as target: RemuxTarget, _ tracks: [CodedTrack],
    _ details: MediaDetails = MediaDetails(), _ options: Options = Options()
  ) throws {
    let begun: GrowingFile?
    begun =
      options.kept == nil
      ? try GrowingFile(path + ".part", onExists: .rename)
      : try GrowingFile(unfinished: path + ".part")
    guard let file = begun else { return nil }
    var movie = MovieOptions()
    movie.style = target == .mov ? .quickTime : .mp4
    do {
      fragments = try FragmentedMovieOutput(tracks, details, to: file.writer, options: movie)
    } catch {
      file.remove()
      throw error
    }
    self.file = file
    self.options = options
    place = options.kept == nil ? file.path : path + ".part"
  }

  public mutating func add(_ event: SourceEvent) throws {
    try fragments.add(event)
    if case .sample = event { samples += 1 }
    guard !isTold, let origin else { return }
    if let kept = options.kept {
      guard samples > kept else { return }
      // What is gathered is in the file with the next fragment.
      let count = file.writer.count
      guard let before = keptCount, count > before else {
        keptCount = keptCount ?? count
        return
      }
    }
    try settle(origin)
  }

  private mutating func settle(_ origin: RationalTime) throws {
    isTold = true
    try file.writer.flush()
    if file.path != place { try file.move(to: place) }
    try options.onBegun(place, origin)
  }

  /// Writes what is gathered. The file stays until it is removed.
  public mutating func finish() throws {
    try fragments.finish()
    if !isTold, let origin { try settle(origin) }
    try file.writer.flush()
  }

  public func remove() { file.remove() }
}
