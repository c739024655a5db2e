// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusFiles
public import ApusMedia
public import ApusSamples
internal import ISOBMFF

/// A movie in fragments that survives the end of the process, however it comes, until another file is made of it.
public struct PartFile: SampleOutput, ~Copyable {
  /// Options for an output that is written over time.
  public struct Options: Sendable {
    /// The number of samples at the beginning that another part holds already, which is replaced by this one as soon as
    /// this one holds them too; `nil` where there is no earlier part.
    public var kept: Int?
    /// Called once, when others may continue with the part: with its path, and the time of the samples at which it
    /// begins.
    public var onBegun: @Sendable (_ path: String, _ origin: RationalTime) throws -> Void =
      { _, _ in }

    /// Creates options for a first part, without a callback.
    public init() {}
  }

  /// Its current path.
  public var path: String { file.path }
  /// The time of the samples at which it begins, once it is known.
  var origin: RationalTime? { fragments.origin }

  private let file: GrowingFile
  private var fragments: FragmentedMovieOutput<DescriptorWriter>
  private let options: Options
  /// Its final path.
  private let place: String
  private var samples = 0
  /// The number of bytes in the file when all samples to be kept had come.
  private var keptCount: Int?
  private var isTold = false

  /// Begins a part of the movie that `path` names; returns `nil` where no name is available for it. A part that another
  /// process left for a movie of that name is kept, unless it is the one to be replaced.
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
      // The samples gathered so far are in the file once the next fragment is written.
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

  /// Writes the gathered samples. The file is kept until it is removed.
  public mutating func finish() throws {
    try fragments.finish()
    if !isTold, let origin { try settle(origin) }
    try file.writer.flush()
  }

  /// Deletes the file, for use once another file has been made from it.
  public func remove() { file.remove() }
}
