// SPDX-License-Identifier: MIT

// begin
import Media
import Stills

func convert(_ photo: String, to target: String) async throws(MediaError) {
  var options = ConvertOptions()
  options.quality = 85
  options.strip = .gps

  let engine = PhotoEngine(options, workers: 4)
  let report = try await engine.convert(photo, to: target)
  print(report.status, report.outputs.map(\.path), report.warnings)
}
// end
