// SPDX-License-Identifier: MIT

import ApusBytes
import ApusFiles
import ApusIntra
import ApusMedia
import ApusX265
import Glibc
import HEVC

/// Tiles of pictures in 4:2:0 (Y4M, 8 bits) coded by our own encoder and by libx265 with the settings of `convert`, in
/// turns: `encode QUALITY,… ENCODER,… FILE…`. An encoder is `own-` and a speed, or `x265-` and a preset, with `+tskip` for what
/// screens get: skipped transforms, and `rd=3` for x265. A line for each picture, encoder and quality, what `Scripts/bench heic-encode` reads: name, file, quality, bytes of slices,
/// processor seconds, squared errors of luma and of both chroma planes, SSIM of luma. Where the last word is a folder, with a stroke
/// at its end, what decoders see goes there as ENCODER-QUALITY-FILE.
func benchEncode(_ arguments: [String]) throws {
  guard arguments.count > 2 else { return }
  let qualities = arguments[0].split(separator: ",").compactMap { Int($0) }
  let encoders = arguments[1].split(separator: ",").map(String.init)
  let folder = arguments.last.flatMap { $0.hasSuffix("/") ? $0 : nil }
  for path in arguments.dropFirst(2) where path != folder {
    let source = try pixels(of: path)
    for quality in qualities {
      for encoder in encoders {
        let name = String(path.split(separator: "/").last ?? "")
        let (result, decoded) = try encode(source, encoder, quality)
        if let folder { try write(decoded, to: "\(folder)\(encoder)-\(quality)-\(name)") }
        let facts = [result.seconds, result.luma, result.chroma, result.similarity]
        let words = [encoder, name, "\(quality)", "\(result.bytes)"] + facts.map { "\($0)" }
        print(words.joined(separator: "\t"))
      }
    }
  }
}

/// How alike two pictures are: `likeness FILE FILE` prints squared errors of luma and of both chroma planes, and SSIM of luma.
func benchLikeness(_ arguments: [String]) throws {
  guard arguments.count == 2 else { return }
  let (one, other) = (try pixels(of: arguments[0]), try pixels(of: arguments[1]))
  guard one.format == other.format else { return }
  var result = EncodeResult()
  compare(one, other, &result)
  print("\(result.luma)\t\(result.chroma)\t\(result.similarity)")
}

private struct EncodeResult {
  var bytes = 0
  var seconds = 0.0
  /// Means of squared errors.
  var luma = 0.0
  var chroma = 0.0
  var similarity = 0.0
}

private let side = 512

private func encode(_ source: Picture, _ encoder: String, _ quality: Int) throws -> (
  EncodeResult, Picture
) {
  var result = EncodeResult()
  let whole = Picture(source.format)
  for y in stride(from: 0, to: source.format.height, by: side) {
    for x in stride(from: 0, to: source.format.width, by: side) {
      var format = source.format
      format.width = min(side, source.format.width - x)
      format.height = min(side, source.format.height - y)
      let tile = Picture(format)
      copy(source, x, y, to: tile, 0, 0, format)
      let start = processorTime()
      let (headers, sample) =
        encoder.hasPrefix("own")
        ? try own(tile, encoder, quality) : try x265(tile, encoder, quality)
      result.seconds += processorTime() - start
      result.bytes += sample.count
      let record = try RecordBuilder().record(of: headers).record
      let coded = CodedPicture(codec: .hevc, configuration: try record.bytes(), samples: [sample])
      try unsafe IntraDecoder().decode(coded) { view in
        let decoded = Picture(format)
        for plane in unsafe view.planes.indices {
          for row in 0..<format.height(ofPlane: plane) {
            unsafe (decoded.plane(plane) + row * decoded.strides[plane]).copyMemory(
              from: view.planes[plane].base + row * view.planes[plane].stride,
              byteCount: format.width(ofPlane: plane))
          }
        }
        copy(decoded, 0, 0, to: whole, x, y, format)
      }
    }
  }
  compare(source, whole, &result)
  return (result, whole)
}

private func compare(_ source: Picture, _ whole: Picture, _ result: inout EncodeResult) {
  let errors = (0..<3).map { plane in
    var sum = 0.0
    let count = (source.format.width(ofPlane: plane), source.format.height(ofPlane: plane))
    for row in 0..<count.1 {
      let one = unsafe source.plane(plane) + row * source.strides[plane]
      let other = unsafe whole.plane(plane) + row * whole.strides[plane]
      var line = 0
      for column in 0..<count.0 {
        let error =
          Int(unsafe one.load(fromByteOffset: column, as: UInt8.self))
          - Int(unsafe other.load(fromByteOffset: column, as: UInt8.self))
        line += error * error
      }
      sum += Double(line)
    }
    return sum / Double(count.0 * count.1)
  }
  (result.luma, result.chroma) = (errors[0], (errors[1] + errors[2]) / 2)
  result.similarity = similarity(source, whole)
}

private func own(_ tile: Picture, _ name: String, _ quality: Int) throws -> ([[UInt8]], [UInt8]) {
  let words = name.split(separator: "+").first?.split(separator: "-").map(String.init) ?? []
  let speed = words.count > 1 ? StillSpeed(rawValue: words[1]) ?? .medium : .medium
  var settings = StillSettings(quality: quality, speed: speed)
  settings.skipsTransforms = name.hasSuffix("+tskip")
  let encoder = try StillEncoder(tile.format, settings)
  let output = try unsafe encoder.encode(tile.view)
  let count = output.slice.count
  let length = (0..<4).map { UInt8(truncatingIfNeeded: count >> (24 - 8 * $0)) }
  return (output.parameterSets, length + output.slice)
}

/// Encodes a tile with the settings of `TileEncoder` in `Stills`.
private func x265(_ tile: Picture, _ name: String, _ quality: Int) throws -> ([[UInt8]], [UInt8]) {
  var settings = X265Settings.still(tile.format, quantizer: 0)
  let words = name.dropFirst("x265-".count).split(separator: "+").map(String.init)
  settings.preset = words.first ?? "medium"
  settings.tune = "ssim"
  settings.frameRate = (1, 1)
  settings.parameters.removeAll { ["qp", "ipratio"].contains($0.name) }
  let isSlow = ["slower", "veryslow", "placebo"].contains(settings.preset)
  var list = [
    ("wpp", "0"), ("pools", "none"), ("crf", "\(Double(100 - quality) / 2)"), ("aq-mode", "1"),
  ]
  if words.contains("tskip") {
    list += [("rd", "3"), ("tskip", "1")]
  } else if !isSlow {
    list += [("rd", "1")]
  }
  settings.parameters += list.map { X265Settings.Parameter($0.0, $0.1) }
  if !isSlow { settings.quantizerOffset = -0.1875 - 0.015 * max(Float(60 - quality) / 2, 0) }
  let encoder = try X265Encoder(settings)
  var pictures = try unsafe encoder.encode(tile.view, time: 0)
  pictures += try encoder.finish()
  return (encoder.headers, pictures.first?.payload ?? [])
}

private func copy(
  _ from: Picture, _ fromX: Int, _ fromY: Int, to: Picture, _ toX: Int, _ toY: Int,
  _ size: PictureFormat
) {
  for plane in 0..<size.planeCount {
    let shift = plane > 0 ? 1 : 0
    for row in 0..<size.height(ofPlane: plane) {
      let source =
        unsafe from.plane(plane) + ((fromY >> shift) + row) * from.strides[plane] + fromX >> shift
      let target =
        unsafe to.plane(plane) + ((toY >> shift) + row) * to.strides[plane] + toX >> shift
      unsafe target.copyMemory(from: source, byteCount: size.width(ofPlane: plane))
    }
  }
}

/// The mean SSIM of luma, in windows of 8 × 8 every four samples.
private func similarity(_ one: Picture, _ other: Picture) -> Double {
  var (sum, count) = (0.0, 0)
  let stride = one.strides[0]
  for y in Swift.stride(from: 0, through: one.format.height - 8, by: 4) {
    for x in Swift.stride(from: 0, through: one.format.width - 8, by: 4) {
      var (a, b, aa, bb, ab) = (0, 0, 0, 0, 0)
      for row in 0..<8 {
        let first = unsafe one.plane(0) + (y + row) * stride + x
        let second = unsafe other.plane(0) + (y + row) * other.strides[0] + x
        for column in 0..<8 {
          let p = Int(unsafe first.load(fromByteOffset: column, as: UInt8.self))
          let q = Int(unsafe second.load(fromByteOffset: column, as: UInt8.self))
          a += p
          b += q
          aa += p * p
          bb += q * q
          ab += p * q
        }
      }
      let (means, products) = (Double(a * b), Double(64 * ab - a * b))
      let (squares, spread) = (Double(a * a + b * b), Double(64 * (aa + bb) - a * a - b * b))
      // (0.01 · 255)² and (0.03 · 255)², times 64².
      let (c1, c2) = (26634.24, 239708.16)
      sum += (2 * means + c1) * (2 * products + c2) / ((squares + c1) * (spread + c2))
      count += 1
    }
  }
  return count > 0 ? sum / Double(count) : 1
}

private func processorTime() -> Double {
  var time = timespec()
  unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

private func write(_ picture: Picture, to path: String) throws {
  let format = picture.format
  var bytes = Array(
    "YUV4MPEG2 W\(format.width) H\(format.height) F1:1 Ip A1:1 C420jpeg\nFRAME\n".utf8)
  for plane in 0..<format.planeCount {
    for row in 0..<format.height(ofPlane: plane) {
      let line = unsafe picture.plane(plane) + row * picture.strides[plane]
      unsafe bytes += UnsafeRawBufferPointer(start: line, count: format.width(ofPlane: plane))
    }
  }
  let file = unsafe fopen(path, "w")
  guard let file = unsafe file else { throw FileError(path) }
  let count = unsafe fwrite(bytes, 1, bytes.count, file)
  guard unsafe fclose(file) == 0, count == bytes.count else { throw FileError(path) }
}

private struct FileError: Error {
  var path: String
  init(_ path: String) { self.path = path }
}

/// A picture of a Y4M in 4:2:0, its sides cut to even ones.
private func pixels(of path: String) throws -> Picture {
  let file = try FileSource(path)
  let bytes = try file.bytes(in: 0..<file.count)
  let header = bytes.prefix { $0 != 10 }
  let words = String(decoding: header, as: UTF8.self).split(separator: " ")
  func number(_ letter: Character) -> Int {
    words.dropFirst().first { $0.first == letter }.flatMap { Int($0.dropFirst()) } ?? 0
  }
  let (width, height) = (number("W"), number("H"))
  let frame = bytes[(header.count + 1)...].prefix { $0 != 10 }
  var place = header.count + frame.count + 2
  let form = PictureFormat(width: width & ~1, height: height & ~1, chroma: .yuv420, bitDepth: 8)
  let picture = Picture(form)
  for plane in 0..<3 {
    let (columns, rows) = plane == 0 ? (width, height) : ((width + 1) / 2, (height + 1) / 2)
    for row in 0..<form.height(ofPlane: plane) {
      let target = unsafe picture.plane(plane) + row * picture.strides[plane]
      let line = bytes[place + row * columns..<place + (row + 1) * columns]
      for (column, value) in line.prefix(form.width(ofPlane: plane)).enumerated() {
        unsafe target.storeBytes(of: value, toByteOffset: column, as: UInt8.self)
      }
    }
    place += columns * rows
  }
  return picture
}
