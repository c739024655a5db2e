// SPDX-License-Identifier: MIT

// begin
import ApusStills

func convert(_ photo: String, to target: String) async throws {
  var options = ConvertOptions()
  options.quality = 85
  let report = try await PhotoEngine(options, workers: 4).convert(photo, to: target)
  print(report.status, report.warnings)
}
// end
