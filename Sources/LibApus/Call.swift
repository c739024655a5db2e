// SPDX-License-Identifier: MIT

import ApusBytes
import ApusCommand
import ApusJSON
import ApusMedia
import ApusStills
import CApus
import Glibc

/// The parameters of a job from a caller.
struct Call: Sendable {
  private let verb: String
  private let options: JSONValue
  private let progress: Progress?

  /// A function of the caller.
  ///
  /// It may be called on any thread, because the caller guarantees that for its function.
  @safe private struct Progress: @unchecked Sendable {
    let function: @convention(c) (UnsafeMutableRawPointer?, Double) -> Int32
    let context: UnsafeMutableRawPointer?

    func goesOn(_ fraction: Double) -> Bool { unsafe function(context, fraction) == 0 }
  }

  init(_ call: UnsafePointer<apus_call>?) throws(MediaError) {
    guard let call = unsafe call?.pointee else {
      (verb, options, progress) = ("convert", .object([]), nil)
      return
    }
    guard unsafe call.size >= MemoryLayout<apus_call>.size else {
      throw MediaError(.misuse, "call has another size")
    }
    verb = unsafe call.verb.map { unsafe String(cString: $0) } ?? "convert"
    options = try unsafe Self.options(call.options)
    progress = unsafe call.progress.map { unsafe Progress(function: $0, context: call.context) }
  }

  /// - Parameter text: a JSON object, or nothing.
  static func options(_ text: UnsafePointer<CChar>?) throws(MediaError) -> JSONValue {
    guard let text = unsafe text else { return .object([]) }
    let bytes = unsafe [UInt8](UnsafeRawBufferPointer(start: text, count: strlen(text)))
    do throws(JSONError) {
      return try JSONReader.value(of: bytes)
    } catch {
      throw MediaError(.misuse, "the options are no JSON: \(error)")
    }
  }

  /// Whether this is a conversion without any options.
  var isUsual: Bool {
    guard verb == "convert", case .object(let members) = options else { return false }
    return members.isEmpty
  }

  /// Returns the options for converting the photo.
  func photoOptions() throws(MediaError) -> ConvertOptions {
    try LibraryCall(verb, options: options).photoOptions()
  }

  /// Returns the photo after the changes of `edit`, and the report about it; `nil` for another verb.
  func edited(_ source: any ByteSource, by engine: PhotoEngine) throws(MediaError) -> (
    file: [UInt8], report: [UInt8]
  )? {
    try LibraryCall(verb, options: options).edited(source, by: engine)
  }

  /// Makes the single output of a job with an engine. Throws if that fails.
  func run(
    _ source: any ByteSource, _ options: ConvertOptions, on engine: PhotoEngine,
    into output: any PhotoOutput
  ) throws -> PhotoReport {
    let request = PhotoRequest(
      name: "photo", open: { source }, output: { role in role == .primary ? output : nil })
    return try run(request, options, on: engine)
  }

  /// Makes the outputs of a request with an engine. Throws if that fails.
  func run(_ request: PhotoRequest, _ options: ConvertOptions, on engine: PhotoEngine) throws
    -> PhotoReport
  {
    var request = request
    request.options = options
    let report: PhotoReport?
    if let progress {
      report = engine.reportAndWait(of: request) { progress.goesOn($0.fraction) }
    } else {
      report = engine.reportAndWait(of: request)
    }
    guard let report else { throw MediaError(.cancelled, "was cancelled by the caller") }
    if let failure = report.failure { throw failure }
    guard !report.outputs.isEmpty else {
      throw MediaError(
        .nothing,
        report.warnings.isEmpty
          ? "there is nothing to convert" : report.warnings.joined(separator: "; "))
    }
    return report
  }
}
