// SPDX-License-Identifier: MIT

public import ApusBytes
internal import ApusFiles
internal import ApusThreads
internal import Synchronization

extension PhotoEngine {
  /// Converts the primary picture of a file in memory while the thread waits. The bytes are empty unless the report's
  /// status is converted.
  public func convertAndWait(_ photo: any ByteSource) -> (report: PhotoReport, bytes: [UInt8]) {
    let destination = MemoryDestination()
    let request = PhotoRequest(
      name: "photo", open: { photo },
      output: { role in role == .primary ? destination : nil })
    let report = reportAndWait(of: request)
    return (report, report.outputs.isEmpty ? [] : destination.bytes)
  }

  /// Carries out a request while the thread waits, for as long as its result is wanted.
  ///
  /// - Parameter goesOn: receives the progress from workers, one call at a time; when it returns `false`, the photo is
  ///   abandoned.
  /// - Returns: the report; `nil` if the photo was abandoned or the engine stopped.
  public func reportAndWait(
    of request: PhotoRequest, goesOn: @escaping @Sendable (PhotoProgress) -> Bool
  ) -> PhotoReport? {
    let call = PhotoCall()
    let ended = Monitor<PhotoReport??>(nil)
    var request = request
    request.progress = { [scheduler] progress in
      if !goesOn(progress) { call.cancel(on: scheduler) }
    }
    call.begin(request, on: scheduler) { report in ended.change { $0 = .some(report) } }
    let report = ended.wait { $0 }
    return call.isCancelled ? nil : report
  }

  /// Carries out a request while the thread waits.
  public func reportAndWait(of request: PhotoRequest) -> PhotoReport {
    let result = Mutex(PhotoReport(input: request.name))
    let requests = Mutex<PhotoRequest?>(
      request.reporting { report in result.withLock { $0 = report } })
    run { requests.withLock { $0.take() } }
    return result.withLock { $0 }
  }
}

extension PhotoRequest {
  /// Creates a request for one file, whose pictures are stored as `path` determines.
  init(
    converting photo: String, to path: String, _ onExists: OnExists, _ options: ConvertOptions
  ) {
    self.init(
      name: photo,
      open: { [limit = options.boxLimits.pipe] in try openInput(photo, limit: limit) },
      output: { role in
        let output = try FileDestination(
          role.numbered(path), from: FileIdentity(photo), onExists: onExists)
        output.limitAccess(like: photo)
        if !role.isPart { output.attributes = FileAttributes(of: photo) }
        return output
      })
  }
}

extension PictureRole {
  /// Returns the path for a picture of this role, given that of the primary one: `photo.2.jpg`.
  fileprivate func numbered(_ path: String) -> String {
    guard self != .primary else { return path }
    let stem = path.withoutExtension
    return "\(stem)\(suffix)" + (pathExtension.map { ".\($0)" } ?? String(path[stem.endIndex...]))
  }
}
