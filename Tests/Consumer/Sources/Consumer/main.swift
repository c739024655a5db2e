// SPDX-License-Identifier: MIT

import ApusFoundation
import ApusMedia
import ApusStills
import Foundation

/// Runs every sample over fixtures of Apus, whose folder is the first argument, and writes into the second. Photos that
/// follow are all that is converted, where there are any: `0.jpg` is the first.
let fixtures = CommandLine.arguments[1]
let folder = CommandLine.arguments[2]

func bytes(_ name: String) throws -> [UInt8] {
  Array(try Data(contentsOf: URL(fileURLWithPath: "\(fixtures)/\(name)")))
}

func require(_ condition: Bool, _ what: String) {
  guard !condition else { return print("it \(what)") }
  print("FAILED: it \(what)")
  exit(1)
}

/// The same photo, converted by so many tasks at once.
func conversions(of photo: [UInt8], count: Int) async throws -> [[UInt8]] {
  try await withThrowingTaskGroup(of: [UInt8].self) { group in
    for _ in 0..<count { group.addTask { try await engine.convert(photo).bytes } }
    var pictures: [[UInt8]] = []
    for try await picture in group { pictures.append(picture) }
    return pictures
  }
}

/// Publishes to a server, each on a thread of its own; returns whether both came to their end.
func publishes(_ movie: [UInt8], to server: Server) -> Bool {
  let path = "\(folder)/received.flv"
  let finished = DispatchSemaphore(value: 0)
  Thread.detachNewThread {
    do {
      try server.run(to: path) { port in
        Thread.detachNewThread {
          do {
            try publish(movie, to: "rtmp://127.0.0.1:\(port)/live/key")
          } catch {
            print(error)
          }
        }
      }
    } catch {
      print(error)
    }
    finished.signal()
  }
  return finished.wait(timeout: .now() + 60) == .success
}

let photos = CommandLine.arguments.dropFirst(3)
for (number, path) in photos.enumerated() {
  let photo = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
  guard let converted = try? await engine.convert(photo) else { continue }
  try Data(converted.bytes).write(to: URL(fileURLWithPath: "\(folder)/\(number).jpg"))
}
if !photos.isEmpty { exit(0) }

let photo = try bytes("photo.heic")
let picture = try await jpeg(of: photo)
require(picture.starts(with: [0xff, 0xd8]) && picture.suffix(2) == [0xff, 0xd9], "makes a JPEG")

let copies = try await conversions(of: photo, count: 64)
require(copies.count == 64 && copies.allSatisfy { $0 == picture }, "converts for 64 tasks at once")

let small = try await thumbnails(of: photo)
require(small.count == 2 && small[1].count < small[0].count, "makes two sizes")

let damaged = try bytes("malformed/tile-flipped.heic")
do {
  _ = try await jpeg(of: damaged)
  require(false, "refuses a damaged photo")
} catch let error as MediaError {
  require(error.isDamage && "\(error)".contains("tile"), "says which tile is damaged: \(error)")
  require(error.localizedDescription == "\(error)", "describes errors for Foundation")
}

try await convert("\(fixtures)/photo.heic", to: "\(folder)/photo.jpg")
require(FileManager.default.fileExists(atPath: "\(folder)/photo.jpg"), "writes a file")

try FileManager.default.createDirectory(
  atPath: "\(folder)/photos", withIntermediateDirectories: true)
try FileManager.default.copyItem(
  atPath: "\(fixtures)/photo.heic", toPath: "\(folder)/photos/one.heic")
try await convertAll(in: "\(folder)/photos", to: "\(folder)/pictures")
require(
  FileManager.default.contents(atPath: "\(folder)/pictures/one.jpg")
    == Data(picture),
  "converts a folder")

try printProperties(of: photo)
try printFindings(in: photo)
require(try problems(in: photo).isEmpty, "finds nothing wrong with a good record")

let movie = try bytes("hvc1.mp4")
require(try flv(of: movie).starts(with: Array("FLV".utf8)), "remuxes in memory")

let server = Server()
require(publishes(movie, to: server), "publishes to the end")
require(server.recording != nil, "is recorded by a server")
