// SPDX-License-Identifier: MIT

import ApusMedia
import HEVC

@testable import ApusIntra

private nonisolated(unsafe) let decoder = IntraDecoder()

/// What to encode, in eight bytes, and samples, which are repeated as often as the picture needs: our decoder has to see
/// what the encoder says. Arithmetic of the room is checked.
func fuzz(_ bytes: [UInt8]) throws {
  guard bytes.count > 8 else { return }
  let chroma: Chroma = bytes[0] & 1 == 0 ? .yuv420 : .monochrome
  let depth = bytes[0] & 2 == 0 ? 8 : 10
  let unit = chroma == .monochrome ? 1 : 2
  let width = (1 + Int(bytes[1]) | Int(bytes[0] & 16) << 4) * unit
  let height = (1 + Int(bytes[2])) * unit
  let format = PictureFormat(width: width, height: height, chroma: chroma, bitDepth: depth)
  var settings =
    bytes[0] & 4 == 0
    ? StillSettings(qp: Int(bytes[3] % 52)) : StillSettings(quality: 1 + Int(bytes[3] % 100))
  let speeds = StillSpeed.allCases
  settings.choices = SearchChoices(speeds[Int(bytes[5]) % speeds.count])
  settings.skipsTransforms = bytes[0] & 8 != 0
  settings.hasOffsets = bytes[0] & 64 != 0
  settings.isPortable = bytes[0] & 32 != 0
  let encoder = try StillEncoder(format, settings)
  let picture = picture(format, Array(bytes[8...]), stretch: 1 + Int(bytes[4] & 15))
  let output = try unsafe encoder.encode(picture.view)
  let reconstruction = try encoder.reconstruction()
  let record = try RecordBuilder().record(of: output.parameterSets).record
  let count = output.slice.count
  let length = (0..<4).map { UInt8(truncatingIfNeeded: count >> (24 - 8 * $0)) }
  let coded = CodedPicture(
    codec: .hevc, configuration: try record.bytes(), samples: [length + output.slice])
  var pictures = 0
  try unsafe decoder.attempt(coded, isStrict: true) { view throws(MediaError) in
    pictures += 1
    guard unsafe holds(view, format, reconstruction) else {
      throw MediaError(.corrupt, "the decoder sees other samples")
    }
  }
  try expect(pictures == 1, "\(pictures) pictures")
}

private func picture(_ format: PictureFormat, _ samples: [UInt8], stretch: Int) -> Picture {
  let picture = Picture(format)
  let most = 1 << format.bitDepth - 1
  var place = 0
  for plane in 0..<format.planeCount {
    for y in 0..<format.height(ofPlane: plane) {
      let row = unsafe picture.plane(plane) + y * picture.strides[plane]
      for x in 0..<format.width(ofPlane: plane) {
        let byte = Int(samples[place / stretch % samples.count])
        place += 1
        if format.bytesPerSample == 1 {
          unsafe row.storeBytes(of: UInt8(byte), toByteOffset: x, as: UInt8.self)
        } else {
          let value = UInt16(min(byte << 2 | byte >> 6, most))
          unsafe row.storeBytes(of: value, toByteOffset: 2 * x, as: UInt16.self)
        }
      }
    }
  }
  return picture
}

private func holds(_ view: PictureView, _ format: PictureFormat, _ planes: [[UInt16]]) -> Bool {
  guard unsafe view.format == format, planes.count == format.planeCount else { return false }
  for index in planes.indices {
    let plane = unsafe view.planes[index]
    var samples = planes[index].makeIterator()
    for y in 0..<format.height(ofPlane: index) {
      for x in 0..<format.width(ofPlane: index) {
        let line = unsafe plane.base + y * plane.stride
        let sample =
          unsafe format.bytesPerSample == 1
          ? UInt16(line.load(fromByteOffset: x, as: UInt8.self))
          : line.load(fromByteOffset: 2 * x, as: UInt16.self)
        guard samples.next() == sample else { return false }
      }
    }
  }
  return true
}
