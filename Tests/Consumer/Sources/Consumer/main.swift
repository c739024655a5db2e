// SPDX-License-Identifier: MIT

import ApusBytes
import ApusFoundation
import ApusMedia
import ApusStills
import Foundation
import Synchronization

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

/// Receives what `publish` sends to the address that it is given; returns whether it was recorded.
func records(
  key: String, _ publish: @escaping @Sendable (String) async throws -> Void
) async throws -> Bool {
  let place = "\(folder)/received-\(UUID())"
  try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
  let (ports, continuation) = AsyncStream.makeStream(of: UInt16.self)
  let server = Task {
    try await receive(key: "secret", in: place) { continuation.yield($0) }
  }
  for await port in ports {
    try? await publish("rtmp://127.0.0.1:\(port)/live/\(key)")
    break
  }
  server.cancel()
  try await server.value
  // The server finishes the recording after the task has ended.
  for _ in 0..<100 where !FileManager.default.fileExists(atPath: "\(place)/camera.flv") {
    try await Task.sleep(for: .milliseconds(20))
  }
  return FileManager.default.fileExists(atPath: "\(place)/camera.flv")
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

require(
  try await records(key: "secret") { try await publish(movie, to: $0) },
  "publishes to a server that records")
require(
  try await !records(key: "wrong") { try await publish(movie, to: $0) },
  "refuses a publisher with another key")

let stream = try bytes("stream.hevc")
require(
  try await records(key: "secret") { url in
    let units = Mutex(AnnexB.nalUnits(in: stream)[...])
    try await publish(units: { units.withLock { $0.popFirst() } }, to: url)
  }, "publishes NAL units")

require(try shared(photo) != photo, "turns a photo without re-encoding it")

let uploads = await sizes(of: Array(repeating: photo, count: 8) + [damaged], within: .seconds(60))
require(uploads.count == 8 && uploads[0]?.count == 3, "makes sizes of all photos that are whole")
let late = await sizes(of: Array(repeating: photo, count: 64), within: .zero)
require(late.count < 64, "cancels what is not done in time")

let brokenPath = "\(folder)/broken.mp4"
var broken = Data(movie)
// The level in the record, which the parameter sets contradict then.
broken[broken.range(of: Data("hvcC".utf8))!.upperBound + 12] ^= 1
require(try !problems(in: Array(broken)).isEmpty, "finds a wrong level")
try broken.write(to: URL(fileURLWithPath: brokenPath))
try repair(brokenPath)
let repaired = Array(try Data(contentsOf: URL(fileURLWithPath: brokenPath)))
require(try problems(in: repaired).isEmpty, "repairs a record in place")

let marked = try adding(serialNumber: 77, to: movie)
require(try serialNumber(in: marked) == 77, "reads a box that the program declares")
require(exposure(in: try unit(exposure: 20)) == 20, "reads a message that the program declares")

let size = 256 * 192 * 3
let made = try await heic(
  width: 256, height: 192, rgb: (0..<size).map { UInt8(truncatingIfNeeded: $0 / 192) },
  exif: try await engine.pixels(of: MemorySource(photo)).exif)
require(try await (120...136).contains(mean(of: made)), "encodes and decodes pixels")

require(try await halve(movie, to: "\(folder)/half.mp4") > 0, "re-encodes every second picture")
require(try facts(of: photo, named: "photo.heic").hasPrefix("{"), "prints facts as JSON")

require(try kind(of: photo) == .isoBMFF, "tells the kind of a file")
require(
  try kind(of: Array(Data(photo))) == FileKind(of: DataSource(Data(photo))),
  "reads data of Foundation")
require(size(ofStream: stream) != nil, "reads the size of a stream")
require(try profile(ofRecord: [1, 100, 0, 31, 0xff, 0xe0, 0]).level == 31, "reads a record of AVC")
require(try codedPictures(in: bytes("grid.heic")) > 1, "lists the tiles of a grid")
require(try mediaTags(in: bytes("enhanced.flv")) > 0, "counts tags")
require(try !words(for: "rtmp://host/live/secret").contains("secret"), "hides keys")
let playlist = "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXTINF:6,\na.m4s\n"
require(try names(in: Array(playlist.utf8)) == ["a.m4s"], "reads playlists")
require(camera(in: try bytes("camera-little-endian.exif")) != nil, "reads Exif")
require(try write([1, 2], to: "\(folder)/bytes") == "\(folder)/bytes", "writes a file whole")
require(try write([3], to: "\(folder)/bytes") == nil, "keeps a file that exists")
require(try samples(in: movie).allSatisfy { $0 > 0 }, "walks samples")
require(try await present(movie, at: "\(folder)/index.m3u8") != nil, "presents a movie")
require(try await matroska(of: movie, to: "\(folder)/a.mkv") ?? 0 > 0, "writes Matroska")
require(
  try target("rtmps://host/live/key", trusting: "own.pem").link.deadlines.connect == .seconds(3),
  "chooses options of a connection")
_ = leaveOut(after: 1)
require(await failure(of: damaged)?.contains("tile") == true, "describes a failure")
