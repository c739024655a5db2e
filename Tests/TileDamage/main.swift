// SPDX-License-Identifier: MIT

import ApusBytes
import ApusFiles
import ApusMedia
import Glibc
import HEIF
import ISOBMFF

// `TileDamage COUNT FOLDER PHOTO...`: changes coded pictures of photos, so many times in all and the same way each
// time it is run, and tells what our decoder makes of them. What it gets wrong is kept in the folder.
let arguments = CommandLine.arguments
guard arguments.count > 3, let count = Int(arguments[1]), count > 0 else {
  print("usage: TileDamage COUNT FOLDER PHOTO...")
  exit(2)
}
let photos = Array(arguments[3...])
var tally = Tally()
for (index, path) in photos.enumerated() {
  let file = PhotoFile(try BoxTree(reading: try FileSource(path)))
  let sources = try file.plan(try file.primaryPicture()).sources.filter { $0.codec == .hevc }
  let name = path.split(separator: "/").last.map(String.init) ?? path
  let trial = try Trial(name, try sources.map { try $0.loaded() })
  let share = count * (index + 1) / photos.count - count * index / photos.count
  try trial.run(share, seed: UInt64(index), findings: arguments[2], &tally)
}
tally.show()
exit(tally.findings > 0 ? 1 : 0)
