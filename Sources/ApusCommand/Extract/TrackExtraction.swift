// SPDX-License-Identifier: MIT

import ApusBytes
import ApusContainers
import ApusFacts
import ApusFiles
import ApusMedia
import ApusSamples
import ApusStills
import ISOBMFF

/// A run of `apus extract --track`: copies tracks to separate movies without re-encoding.
struct TrackExtraction {
  private let verb: Extract
  private let settings: ConvertSettings

  init(_ verb: Extract, _ settings: ConvertSettings) throws(UsageError) {
    self.verb = verb
    self.settings = settings
    if case .pipe(let path) = settings.batch.target.place {
      throw UsageError("\(path) is a pipe, and a movie needs a file: -o FILE")
    }
    if case .file(let path) = settings.batch.target.place, verb.tracks.count > 1 {
      throw UsageError("several tracks need an output folder, and \(path) is not one: -o \(path)/")
    }
  }

  func run(_ console: Console) throws -> ExitStatus {
    var written = 0
    let files = InputNames.files(verb.inputs.list, all: settings.batch.onExists == .replace)
    var names = InputNames(verb.inputs.list)
    while true {
      do throws(FileError) {
        guard let name = try names.next() else { break }
        files.add(name.path)
        let source = try openInput(name.path, limit: verb.limits.boxes.pipe)
        for track in verb.tracks {
          do {
            if try extract(track, of: name, source, files, console) { written += 1 }
          } catch {
            console.fail(name.path, error)
          }
        }
      } catch {
        console.fail(error.description)
      }
    }
    return written > 0 ? .done : .nothingToDo
  }

  private func extract(
    _ track: UInt, of name: InputName, _ source: any ByteSource, _ files: InputFiles,
    _ console: Console
  ) throws -> Bool {
    var options = MediaInput.Options()
    options.track = UInt32(clamping: track)
    options.limits = verb.limits.boxes
    let kind = try FileKind(of: source)
    guard kind == .isoBMFF else {
      throw MediaError(.unsupported, of: .input, "is \(kind.description), which has no tracks")
    }
    let media = try MediaInput.open(source, options: options)
    let isQuickTime =
      try BoxTree(reading: source, limits: options.limits).located.lazy
      .compactMap { $0.box(FileType.self) }.first?.majorBrand == "qt  "
    let target = isQuickTime ? RemuxTarget.mov : .mp4
    let job = try RemuxJob(media, options: RemuxJob.Options(target))
    for warning in media.warnings + job.plan.warnings { console.warn("\(name.path): \(warning)") }
    let role = PictureRole.part("track-\(track)", extension: target.pathExtension)
    let path = settings.batch.target.path(role, of: name)
    try files.claim(
      path, for: "track \(track) of \(name.path)", onExists: settings.batch.onExists)
    if !name.isFound || settings.batch.onExists == .replace {
      try files.refuse(path, onExists: settings.batch.onExists)
    }
    if settings.batch.target.isTemplate { try OutputFolder.make(for: path) }
    guard let file = try FileOutput(path, onExists: settings.batch.onExists) else {
      console.noteExisting(path)
      return false
    }
    var sink = file.writer
    let report = try job.writeAndWait(to: &sink)
    let final = try file.commit()
    for repair in report.repairs { console.warn("\(name.path): \(repair)") }
    let count = report.tracks.first?.samples ?? 0
    console.detail("\(name.path): \(final), \(count) samples, \(file.writer.count) bytes")
    if verb.batch.json {
      ResultStream(console: console).write(
        json: ExtractedTrack(
          input: name.path, track: UInt32(clamping: track), output: final, samples: count,
          bytes: file.writer.count))
      try console.output.flush()
    }
    return true
  }
}

/// The result for one track.
struct ExtractedTrack: Described {
  let input: String
  let track: UInt32
  let output: String
  let samples: Int
  let bytes: Int

  static let title = "movie"

  static func describe<V: FactVisitor>(_ v: inout V) where V.Subject == ExtractedTrack {
    v.required("input", "The path as given or found.") { $0.input }
    v.required("track", "The ID of the track.") { $0.track }
    v.required("output", "The path of the output.") { $0.output }
    v.required("samples", "The number of samples.") { $0.samples }
    v.required("bytes", "The size of the output.") { $0.bytes }
  }
}
