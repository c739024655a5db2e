// SPDX-License-Identifier: MIT

public import Bytes
public import Files
internal import ISOBMFF

/// A plain movie that is written over time and outlives whatever ends the process.
///
/// Until it is finished there is `OUT.part`, a movie in fragments, which can be played and of which
/// `apus remux --recover` makes the same plain movie. Nothing stands under the final name before it is whole.
public struct MovieFile: SampleOutput, ~Copyable {
  /// Where the samples are until the end.
  public var part: String { file.path }
  /// The file, once it is finished.
  public private(set) var path: String
  /// Bytes of the finished file.
  public private(set) var count = 0
  private let file: GrowingFile
  private var fragments: FragmentedMovieOutput<DescriptorWriter>
  private let target: RemuxTarget
  private let onExists: OnExists

  /// Begins a movie; `nil` when there is one and the policy is to skip it. What another process left of a movie of
  /// that name stays.
  ///
  /// - Parameter target: `mp4` or `mov`.
  public init?(
    _ path: String, as target: RemuxTarget, onExists: OnExists = .skip, _ tracks: [CodedTrack],
    _ details: MediaDetails = MediaDetails()
  ) throws(SyntaxError) {
    guard onExists != .skip || !FileWalk.exists(path) else { return nil }
    let begun: GrowingFile?
    do throws(FileError) {
      begun = try GrowingFile(path + ".part", onExists: .rename)
    } catch {
      throw SyntaxError(.io, field: "", offset: 0, detail: error.description)
    }
    guard let file = begun else { return nil }
    var options = MovieOptions()
    options.style = target == .mov ? .quickTime : .mp4
    do throws(SyntaxError) {
      fragments = try FragmentedMovieOutput(tracks, details, to: file.writer, options: options)
    } catch {
      file.remove()
      throw error
    }
    self.path = path
    self.file = file
    self.target = target
    self.onExists = onExists
  }

  public mutating func add(_ event: SourceEvent) throws(SyntaxError) { try fragments.add(event) }

  /// Makes the plain movie. When that fails the part stays.
  public mutating func finish() throws(SyntaxError) {
    try fragments.finish()
    do {
      try file.writer.flush()
      let recording = FinishedRecording(path: file.path, target: target)
      guard let written = try recording.write(to: path, onExists: onExists) else {
        throw FileError("write", path, reason: "is there since; \(file.path) is kept")
      }
      (path, count) = written
      file.remove()
    } catch let error as SyntaxError {
      throw error
    } catch {
      throw SyntaxError(.io, field: "", offset: 0, detail: "\(error)")
    }
  }
}
