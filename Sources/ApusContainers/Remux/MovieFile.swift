// SPDX-License-Identifier: MIT

internal import ApusBytes
public import ApusFiles
public import ApusMedia
public import ApusSamples
internal import ISOBMFF

/// A plain movie that is written over time and survives the end of the process, however it comes.
///
/// Until it is finished it is `OUT.part`, a movie in fragments, which can be played and from which `apus remux
/// --recover` makes the same plain movie. Nothing appears under the final name before it is whole.
public struct MovieFile: SampleOutput, ~Copyable {
  /// The path of the file, once it is finished.
  public private(set) var path: String
  /// The size of the finished file in bytes.
  public private(set) var count = 0
  private var part: PartFile
  private let target: RemuxTarget
  private let onExists: OnExists
  private let end: RationalTime?

  /// Begins a movie; returns `nil` when one exists and the policy is to skip it.
  ///
  /// - Parameters:
  ///   - target: `mp4` or `mov`.
  ///   - end: the time after which nothing is shown, even if there are samples.
  public init?(
    _ path: String, as target: RemuxTarget, onExists: OnExists = .skip, _ tracks: [CodedTrack],
    _ details: MediaDetails = MediaDetails(), end: RationalTime? = nil,
    part options: PartFile.Options = PartFile.Options()
  ) throws {
    try OutputFolder.require(for: path)
    guard onExists != .skip || !FileSystem.exists(path),
      let part = try PartFile(of: path, as: target, tracks, details, options)
    else { return nil }
    self.path = path
    self.part = part
    self.target = target
    self.onExists = onExists
    self.end = end
  }

  public mutating func add(_ event: SourceEvent) throws { try part.add(event) }

  /// Makes the plain movie. If that fails, the part is kept.
  public mutating func finish() throws {
    try part.finish()
    var recording = FinishedRecording(path: part.path, target: target)
    recording.end = end.flatMap { $0.moved(by: part.origin) }
    guard let written = try recording.write(to: path, onExists: onExists) else {
      throw FileError("write", path, reason: "was created meanwhile; \(part.path) is kept")
    }
    (path, count) = written
    part.remove()
  }
}

extension RationalTime {
  /// Returns the time measured from an origin; `nil` where the difference overflows.
  fileprivate func moved(by origin: RationalTime?) -> RationalTime? {
    guard let origin, origin.value != 0 else { return self }
    guard let exact = rounded(to: origin.timescale),
      case (let value, false) = exact.subtractingReportingOverflow(origin.value)
    else { return nil }
    return RationalTime(value, per: origin.timescale)
  }
}
