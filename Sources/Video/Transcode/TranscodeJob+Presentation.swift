// SPDX-License-Identifier: MIT

public import Bytes
public import Files
internal import HLS

extension TranscodeJob {
  /// Writes a presentation for HTTP Live Streaming: the playlist and the folder beside it. What came is in `PATH.part`,
  /// a movie in fragments, until it is over.
  ///
  /// - Returns: where the playlist is; `nil` where one is there that stays.
  public func write(presentation path: String, onExists: OnExists, _ hls: HLSOptions)
    throws(SyntaxError) -> (report: TranscodeReport, presentation: HLSReport, path: String)?
  {
    guard onExists != .skip || !FileWalk.exists(path) else { return nil }
    return try writePart(of: path) { (report, part) throws(SyntaxError) in
      var report = report
      do {
        guard let folder = try FolderOutput(path, onExists: onExists) else {
          throw FileError("write", path, reason: "is there since; \(part) is kept")
        }
        let job = try HLSJob([MediaInput.open(FileSource(part))], options: hls)
        let (presentation, playlist) = try job.write(
          to: PresentationFolder(folder), prefix: folder.folderName + "/")
        report.output.leftOut += presentation.leftOut.map { ($0.name, $0.reason) }
        report.output.warnings += presentation.warnings.map(\.text)
        return (report, presentation, try folder.commit(playlist.text))
      } catch let error as SyntaxError {
        throw error
      } catch {
        throw SyntaxError(.io, field: "", offset: 0, detail: "\(error)")
      }
    }
  }
}
