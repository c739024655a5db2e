// SPDX-License-Identifier: MIT

import ApusBytes
import ApusContainers
import ApusFFmpeg
import ApusFiles
import ApusMedia
import ApusSamples
import HEVC

/// Decoding the first video track of a file, filtering and encoding it: `coders FILE [FILTER [ENCODER NAME=VALUE …]]`.
/// With `md5` for a filter, each picture's time and the MD5 of its samples.
func benchCoders(_ arguments: [String]) throws {
  guard let path = arguments.first else { return }
  var input = try MediaInput.open(FileSource(path)).source
  guard let index = input.tracks.firstIndex(where: { $0.kind == .video }) else { return }
  let track = input.tracks[index]
  var options = DecoderOptions()
  options.isSalvaging = arguments.contains("salvage")
  if arguments.contains("one") { options.threads = 1 }
  let decoder = try VideoDecoder(stream(track), traits: track.picture, options: options)
  let sink = try CoderSink(Array(arguments.dropFirst()), timescale: track.timescale)
  while let event = try input.next() {
    guard case .sample(let sample) = event, sample.track == index else { continue }
    let bytes = try sample.payload.bytes()
    try decoder.send(
      bytes, decodeTime: sample.decodeTime.value,
      presentationTime: sample.presentationTime.value, duration: sample.duration?.value ?? 0,
      isKey: sample.isSync)
    while let frame = try decoder.next() { try sink.add(frame) }
  }
  try decoder.finish()
  while let frame = try decoder.next() { try sink.add(frame) }
  try sink.finish()
  report("pictures", Double(sink.pictures), "")
  report("bytes", Double(sink.bytes), "")
  if options.isSalvaging { report("damage", Double(decoder.damageCount), "") }
}

private func stream(_ track: CodedTrack) throws -> CodedStream {
  let timescale = track.timescale
  switch track.format {
  case .hevc(let record):
    return try CodedStream("hevc", configuration: record.bytes(), timescale: timescale)
  case .avc(let bytes): return CodedStream("h264", configuration: bytes, timescale: timescale)
  case .other("av01", let bytes):
    return CodedStream("av1", configuration: bytes, timescale: timescale)
  default: throw MediaError(.unsupported, "this codec is not timed here")
  }
}

/// Where decoded pictures go.
private final class CoderSink {
  private let isPrinting: Bool
  private var filter: VideoFilter?
  private var encoder: VideoEncoder?
  private let arguments: [String]
  private let timescale: UInt32
  var pictures = 0
  var bytes = 0

  init(_ arguments: [String], timescale: UInt32) throws {
    self.arguments = arguments.filter { $0 != "one" && $0 != "salvage" }
    self.timescale = timescale
    isPrinting = self.arguments.first == "md5"
    if !isPrinting, let description = self.arguments.first {
      filter = try VideoFilter(description)
    }
  }

  func add(_ frame: VideoFrame) throws {
    guard let filter else { return try take(frame) }
    try filter.push(frame)
    while let frame = try filter.next() { try take(frame) }
  }

  func finish() throws {
    if let filter {
      try filter.finish()
      while let frame = try filter.next() { try take(frame) }
    }
    guard let encoder else { return }
    try encoder.finish()
    while let packet = try encoder.next() { bytes += packet.bytes.count }
  }

  private func take(_ frame: VideoFrame) throws {
    pictures += 1
    if isPrinting { printSum(frame) }
    guard arguments.count > 1 else { return }
    let encoder = try encoder ?? open(for: frame)
    self.encoder = encoder
    try encoder.send(frame)
    while let packet = try encoder.next() { bytes += packet.bytes.count }
  }

  private func open(for frame: VideoFrame) throws -> VideoEncoder {
    var settings = VideoEncoderSettings(
      arguments[1], width: frame.width, height: frame.height, pixelFormat: frame.pixelFormat,
      timescale: timescale)
    settings.traits = frame.traits
    for option in arguments.dropFirst(2) {
      let parts = option.split(separator: "=", maxSplits: 1)
      settings.options.append(.init(String(parts[0]), String(parts[1])))
    }
    return try VideoEncoder(settings)
  }

  private func printSum(_ frame: VideoFrame) {
    var samples: [UInt8] = []
    unsafe frame.withView { view in
      for plane in unsafe view.planes.indices {
        let count = unsafe view.format.width(ofPlane: plane) * view.format.bytesPerSample
        for row in unsafe 0..<view.format.height(ofPlane: plane) {
          let start = unsafe view.planes[plane].base + row * view.planes[plane].stride
          unsafe samples.append(contentsOf: UnsafeRawBufferPointer(start: start, count: count))
        }
      }
    }
    let digits = MD5.digest(of: samples).map { byte in
      (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
    print(frame.time.value, frame.duration, frame.isKey ? "K" : "-", digits.joined())
  }
}
