// SPDX-License-Identifier: MIT

// begin
import ApusFiles
import ApusStills

/// Converts all photos of a folder, and resumes when it is called again.
func convertAll(in folder: String, to target: String) async throws {
  let photos = InputList([folder], recursive: true)
  var settings = BatchSettings(ConvertOptions(), inputs: photos, to: .folder(target))
  settings.journal = target + ".journal"
  settings.workers = 4

  for try await report in try PhotoBatch(settings).reports() {
    print(report.photo.input, report.photo.status, "\(report.tally.files) files so far")
  }
}
// end
