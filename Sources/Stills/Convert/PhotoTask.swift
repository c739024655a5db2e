// SPDX-License-Identifier: MIT

internal import Bytes
internal import HEIF
internal import ISOBMFF
internal import JPEG
internal import Media

/// One file on its way through the engine: opened, its pictures made one after the other, closed.
///
/// May cross threads because one worker at a time has it: the one that opens it, or that closes a picture of it.
final class PhotoTask: @unchecked Sendable {
  /// The files in the order in which they were begun.
  let number: Int
  private(set) var report: PhotoReport
  private let request: PhotoRequest
  private let options: ConvertOptions
  private let workers: Int
  private let decoderThreads: Int
  private let start = clockSeconds()
  private var file: PhotoFile?
  /// What is still to be made, the next one last.
  private var pending: [(picture: PhotoPicture, role: PictureRole)] = []
  /// The output for the primary picture, begun before the file is opened: one that is there saves all work.
  private var primaryOutput: (any PhotoOutput)?
  private var role = PictureRole.primary
  /// The pass that is under way, which writes nothing, and what the next one goes on with.
  private var pass: Pass?

  private struct Pass {
    let pass: any FirstPass
    let picture: PhotoPicture
    let output: any PhotoOutput
    var results: PassResults
  }

  /// - Parameter decoderThreads: how many threads may decode inside of a picture that has no tiles.
  init(
    _ request: PhotoRequest, number: Int, options: ConvertOptions, workers: Int,
    decoderThreads: Int
  ) {
    self.decoderThreads = decoderThreads
    self.request = request
    self.number = number
    self.options = options
    self.workers = workers
    report = PhotoReport(input: request.name)
  }

  /// Reads what the file holds. Returns its first picture, or nothing when the report says it all.
  func open() -> PictureJob? {
    do throws(Refusal) {
      try begin()
      return try nextJob()
    } catch {
      return end(error)
    }
  }

  /// Takes the result of a picture and begins with the next one.
  func close(_ job: PictureJob) -> PictureJob? {
    let outcome = job.outcome
    report.decodeSeconds += outcome.decodeSeconds
    report.convertSeconds += outcome.convertSeconds
    report.encodeSeconds += outcome.encodeSeconds
    if let refusal = outcome.refusal { return end(refusal) }
    do throws(Refusal) {
      if var pass {
        try working { () throws(PictureError) in try pass.pass.add(to: &pass.results) }
        return try begin(pass.picture, pass.output, pass.results)
      }
      try commit(job, outcome)
      return try nextJob()
    } catch {
      return end(error)
    }
  }

  private func end(_ refusal: Refusal? = nil) -> PictureJob? {
    report.seconds = clockSeconds() - start
    if let refusal {
      report.failure = refusal.failure
      report.status = .failed
    }
    file = nil
    return nil
  }

  private func begin() throws(Refusal) {
    if options.images == .primary {
      primaryOutput = try working { () throws(PictureError) in try request.output(.primary) }
      guard primaryOutput != nil else { return }
    }
    let source = try working { () throws(PictureError) in try request.open() }
    report.bytesIn = source.count
    let kind = try reading { () throws(SyntaxError) in try FileKind(of: source) }
    switch kind {
    case .isoBMFF:
      let limits = (options.boxLimits, options.limits)
      let file = try reading { () throws(SyntaxError) in
        PhotoFile(
          try BoxTree(reading: source, limits: limits.0), limits: limits.1,
          salvaging: options.salvages)
      }
      self.file = file
      pending = try reading { () throws(SyntaxError) in try chosen(file).reversed() }
    case .jpeg where options.format == .jpeg: try copy(source)
    default: throw Refusal(.unsupported, "is \(kind.description), not a HEIF photo")
    }
  }

  /// A JPEG is a JPEG already, whatever it is called: its bytes stay as they are.
  private func copy(_ source: any ByteSource) throws(Refusal) {
    guard let output = try output(.primary) else { return }
    guard options.strip == .nothing else {
      throw Refusal(
        .unsupported, "is a JPEG picture already, and nothing is stripped from one here")
    }
    let bytes = try reading { () throws(SyntaxError) in try source.bytes(in: 0..<source.count) }
    let header = try working { () throws(PictureError) in try JPEGHeader(bytes) }
    try working { () throws(PictureError) in try output.write(bytes.span) }
    let path = try working { () throws(PictureError) in try output.commit() }
    report.warnings.append("is a JPEG picture already and was copied")
    report.status = .converted
    report.outputs = [
      PhotoReport.Output(
        path: path, role: .primary, width: header.width, height: header.height,
        bytes: source.count)
    ]
  }

  /// The pictures that were asked for, with their roles.
  private func chosen(_ file: PhotoFile) throws(SyntaxError) -> [(PhotoPicture, PictureRole)] {
    if let frame = options.frame { return [(try file.frame(frame), .primary)] }
    guard options.images == .all else { return [(try file.primaryPicture(), .primary)] }
    return file.pictures.enumerated().map { index, picture in
      (picture, index == 0 ? .primary : .other(index + 1))
    }
  }

  private func nextJob() throws(Refusal) -> PictureJob? {
    while let (picture, role) = pending.popLast() {
      guard let output = try output(role) else { continue }
      self.role = role
      return try begin(picture, output, PassResults())
    }
    if report.status == .failed, report.failure == nil {
      report.status = report.outputs.isEmpty ? .skipped : .converted
    }
    return end()
  }

  private func begin(
    _ picture: PhotoPicture, _ output: any PhotoOutput, _ results: PassResults
  ) throws(Refusal) -> PictureJob? {
    guard let file else { return nil }
    let preparation = try PicturePreparation(
      picture, in: file, options: options, workers: workers, results: results)
    if let first = try preparation.firstPass() {
      pass = Pass(pass: first, picture: picture, output: output, results: results)
      return preparation.job(first)
    }
    pass = nil
    report.warnings += preparation.warnings
    let job = try preparation.job(output, decoderThreads: decoderThreads)
    try job.begin()
    return job
  }

  private func output(_ role: PictureRole) throws(Refusal) -> (any PhotoOutput)? {
    if role == .primary, let output = primaryOutput {
      primaryOutput = nil
      return output
    }
    return try working { () throws(PictureError) in try request.output(role) }
  }

  private func commit(_ job: PictureJob, _ outcome: PictureJob.Outcome) throws(Refusal) {
    if options.verifies {
      let check = OutputCheck(
        output: job.output, format: options.format, width: job.plan.width, height: job.plan.height)
      try working { () throws(PictureError) in try check.run() }
    }
    let path = try working { () throws(PictureError) in try job.output.commit() }
    report.outputs.append(
      PhotoReport.Output(
        path: path, role: role, width: job.plan.width, height: job.plan.height, bytes: outcome.bytes
      ))
    if !outcome.damage.isEmpty {
      report.status = .salvaged
      report.warnings += outcome.damage
    }
  }
}
