// SPDX-License-Identifier: MIT

public import Bytes
public import Files
internal import Synchronization
internal import Threads

extension PhotoEngine {
  /// Converts one file.
  ///
  /// - Parameter path: where the primary picture goes; others of the file, where all were asked for, go beside it
  ///   under numbers.
  public func convert(
    _ photo: String, to path: String, onExists: OnExists = .skip
  ) -> PhotoReport {
    report(of: PhotoRequest(converting: photo, to: path, onExists, options))
  }

  /// Converts the primary picture of a file in memory. The bytes are empty unless the report says converted.
  public func convert(_ photo: any ByteSource) -> (report: PhotoReport, bytes: [UInt8]) {
    let destination = MemoryDestination()
    let request = PhotoRequest(
      name: "photo", open: { photo },
      output: { role in role == .primary ? destination : nil })
    let report = report(of: request)
    return (report, report.outputs.isEmpty ? [] : destination.bytes)
  }

  /// Makes of one file what a request asks for, as long as that is wanted.
  ///
  /// - Parameter goesOn: called from workers with how far the photo is, one call at a time; when it answers with `false`,
  ///   the photo is abandoned.
  /// - Returns: `nil` where it was abandoned, or the engine stopped.
  public func report(
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

  /// Makes of one file what a request asks for.
  public func report(of request: PhotoRequest) -> PhotoReport {
    let result = Mutex(PhotoReport(input: request.name))
    let requests = Mutex<PhotoRequest?>(
      request.reporting { report in result.withLock { $0 = report } })
    run { requests.withLock { $0.take() } }
    return result.withLock { $0 }
  }
}

extension PhotoRequest {
  /// One file, whose pictures go where `path` says.
  init(
    converting photo: String, to path: String, _ onExists: OnExists, _ options: ConvertOptions
  ) {
    self.init(
      name: photo,
      open: { [limit = options.boxLimits.pipe] in try openInput(photo, limit: limit) },
      output: { role in
        let output = try FileDestination(
          role.numbered(path), from: FileIdentity(photo), onExists: onExists)
        output?.limitAccess(like: photo)
        if !role.isPart { output?.attributes = FileAttributes(of: photo) }
        return output
      })
  }
}

extension PictureRole {
  /// The path for a picture of this role, where `path` is that of the primary one: `photo.2.jpg`.
  fileprivate func numbered(_ path: String) -> String {
    guard self != .primary else { return path }
    if let ending = pathExtension {
      let stem = path.lastIndex(of: ".").flatMap { path[$0...].contains("/") ? nil : path[..<$0] }
      return "\(stem ?? path[...])\(suffix).\(ending)"
    }
    guard let dot = path.lastIndex(of: "."), !path[dot...].contains("/") else {
      return path + suffix
    }
    return "\(path[..<dot])\(suffix)\(path[dot...])"
  }
}
