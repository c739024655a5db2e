// SPDX-License-Identifier: MIT

import Stills

/// The example of README.md, which `Tests/Scripts/readme.py` holds against it.
func convertForReadme(_ photo: String, _ target: String) {
  // begin
  var options = ConvertOptions()
  options.quality = 85
  options.strip = .gps

  let engine = PhotoEngine(options, workers: 4)
  let report = engine.convert(photo, to: target)
  print(report.status, report.outputs.map(\.path), report.failure?.message ?? "")
  // end
}
