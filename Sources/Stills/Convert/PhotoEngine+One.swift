// SPDX-License-Identifier: MIT

public import Bytes
public import Files
internal import Media

extension PhotoEngine {
  /// Converts one file.
  ///
  /// - Parameter path: where the primary picture goes; others of the file, where all were asked for, go beside it
  ///   under numbers.
  public func convert(
    _ photo: String, to path: String, onExists: OnExists = .skip
  ) -> PhotoReport {
    let request = PhotoRequest(
      name: photo,
      open: { () throws(PictureError) in
        do throws(FileError) { return try openInput(photo) } catch { throw PictureError(error) }
      },
      output: { role throws(PictureError) in
        return try FileDestination(
          role.numbered(path), from: FileIdentity(photo), onExists: onExists)
      })
    return one(request)
  }

  /// Converts the primary picture of a file in memory. The bytes are empty unless the report says converted.
  public func convert(_ photo: any ByteSource) -> (report: PhotoReport, bytes: [UInt8]) {
    let destination = MemoryDestination()
    let request = PhotoRequest(
      name: "photo", open: { () throws(PictureError) in photo },
      output: { role throws(PictureError) in role == .primary ? destination : nil })
    let report = one(request)
    return (report, report.outputs.isEmpty ? [] : destination.bytes)
  }

  private func one(_ request: PhotoRequest) -> PhotoReport {
    let requests = Monitor<PhotoRequest?>(request)
    let reports = Monitor<PhotoReport>(PhotoReport(input: request.name))
    run(
      next: { requests.withLock { $0.take() } },
      report: { report in reports.withLock { $0 = report } })
    return reports.withLock { $0 }
  }
}

extension PictureRole {
  /// The path for a picture of this role, where `path` is that of the primary one: `photo.2.jpg`.
  fileprivate func numbered(_ path: String) -> String {
    guard case .other(let number) = self else { return path }
    guard let dot = path.lastIndex(of: "."), !path[dot...].contains("/") else {
      return "\(path).\(number)"
    }
    return "\(path[..<dot]).\(number)\(path[dot...])"
  }
}
