// SPDX-License-Identifier: MIT

import ApusBytes
import ApusJPEG
import ApusMedia
import ApusMetadata
import Glibc
import HEIF
import TestSupport
import Testing

@testable import ApusStills

/// PQ pictures with a gain map that makes the SDR picture of them.
@Suite struct HDRBaseTests {
  /// cd/m² of squares of 16 samples, side by side.
  static let lights = [10.0, 50, 100, 203, 400, 700]
  /// What the map holds for each of them: none, a half, and all of the two stops that it has.
  static let codes: [UInt8] = [0, 0, 128, 128, 255, 255]

  /// Base 2 stops, alternate 0, minimum 0, maximum 2, gamma 1, base offset 1/64, alternate offset 1/32.
  static let parameters = hex(
    """
    00 0000 0000 40 00000002 00000001 00000000 00000001 00000000 00000001 00000002 00000001 \
    00000001 00000001 00000001 00000040 00000001 00000020
    """)
  /// The same with headrooms and offsets exchanged, for a base that is SDR.
  static let reversed = hex(
    """
    0000 0000 40 00000000 00000001 00000002 00000001 00000000 00000001 00000002 00000001 \
    00000001 00000001 00000001 00000020 00000001 00000040
    """)

  /// SMPTE ST 2084, 5.2.
  static func pq(_ luminance: Double) -> Double {
    let y = pow(luminance / 10000, 2610.0 / 16384)
    return pow((3424.0 / 4096 + 2413.0 / 128 * y) / (1 + 2392.0 / 128 * y), 2523.0 / 32)
  }

  /// The luminance of a full-range code of ten bits.
  static func luminance(_ code: Int) -> Double {
    let value = pow(Double(code) / 1023, 32 / 2523.0)
    let y = max(value - 3424.0 / 4096, 0) / (2413.0 / 128 - 2392.0 / 128 * value)
    return 10000 * pow(y, 16384 / 2610.0)
  }

  /// The sRGB code that the map makes of a light: SDR = (HDR + offset)·2^−G − offset.
  static func wanted(_ index: Int) -> Double {
    let gain = 2 * Double(codes[index]) / 255
    let stored = luminance(Int((pq(lights[index]) * 1023).rounded()))
    let light = (stored / 203 + 1.0 / 64) / exp2(gain) - 1.0 / 32
    let clamped = min(max(light, 0), 1)
    let value =
      clamped <= 0.0031308 ? 12.92 * clamped : 1.055 * pow(clamped, 1 / 2.4) - 0.055
    return value * 255
  }

  private static func coded(
    _ format: PictureFormat, _ colour: ColourDescription, _ samples: [[Int]]
  )
    throws -> NewPicture
  {
    let picture = Picture(format)
    for plane in 0..<format.planeCount {
      let side = plane == 0 || format.chroma == .yuv444 ? 16 : 8
      for row in 0..<format.height(ofPlane: plane) {
        for column in 0..<format.width(ofPlane: plane) {
          let value = samples[plane][column / side]
          let place = unsafe picture.plane(plane) + row * picture.strides[plane]
          if format.bytesPerSample == 1 {
            unsafe place.storeBytes(of: UInt8(value), toByteOffset: column, as: UInt8.self)
          } else {
            unsafe place.storeBytes(of: UInt16(value), toByteOffset: 2 * column, as: UInt16.self)
          }
        }
      }
    }
    var choices = HEICChoices()
    choices.isLossless = true
    choices.speed = .ultrafast
    choices.isSingle = true
    let planes = CodedPlanes(
      format,
      TileEncoder(
        format, TileLayout(format, choices), colour: colour, quality: 90, choices: choices,
        workers: 1), colour: colour)
    try planes.encode(picture, row: 0, column: 0)
    return try planes.picture()
  }

  static func photo(_ parameters: [UInt8] = parameters) throws -> [UInt8] {
    let format = PictureFormat(
      width: 16 * lights.count, height: 32, chroma: .yuv444, bitDepth: 10)
    let grey = lights.map { Int((pq($0) * 1023).rounded()) }
    let middle = lights.map { _ in 512 }
    var photo = NewPhoto(
      try coded(
        format, ColourDescription(primaries: 9, transfer: 16, matrix: 9, isFullRange: true),
        [grey, middle, middle]))
    let map = PictureFormat(
      width: 16 * codes.count, height: 32, chroma: .monochrome, bitDepth: 8)
    let picture = try coded(map, ColourDescription(isFullRange: true), [codes.map(Int.init)])
    photo.auxiliaries = [NewAuxiliary(picture, .gainMap(NewToneMap(parameters)))]
    return try [photo].heic()
  }

  /// The luma in the middle of each square.
  private func greys(_ jpeg: [UInt8]) throws -> [Double] {
    let decoded = try DecodedPlanes(
      CodedPicture(codec: .jpeg, samples: [jpeg]), by: JPEGDecoder())
    return Self.lights.indices.map {
      Double(decoded.planes[0][16 * decoded.format.width + 16 * $0 + 8])
    }
  }

  @Test(
    arguments: HDRChoice.allCases)
  func `the base of the JPEG is what the map makes, whatever becomes of HDR`(_ choice: HDRChoice)
    throws
  {
    guard choice != .apply else { return }
    let (report, bytes) = CompanionTests.converted(try Self.photo(), .jpeg) {
      $0.hdr = choice
      $0.quality = 100
    }
    #expect(report.status == .converted, "\(report)")
    #expect(report.warnings.contains { $0.contains("by its gain map") }, "\(report.warnings)")
    for (index, grey) in try greys(bytes).enumerated() {
      #expect((grey - Self.wanted(index)).magnitude <= 1.5, "\(Self.lights[index]) cd/m²: \(grey)")
    }
    #expect((report.outputs.first?.gainMap != nil) == (choice == .keep))
  }

  @Test
  func `so is the picture of a HEIC that is to be SDR`() throws {
    let (report, heic) = CompanionTests.converted(try Self.photo()) {
      $0.hdr = .drop
      $0.heic.isLossless = true
    }
    #expect(report.warnings.contains { $0.contains("by its gain map") }, "\(report.warnings)")
    let jpeg = CompanionTests.converted(heic, .jpeg) { $0.quality = 100 }.bytes
    for (index, grey) in try greys(jpeg).enumerated() {
      #expect((grey - Self.wanted(index)).magnitude <= 1.5, "\(Self.lights[index]) cd/m²: \(grey)")
    }
  }

  @Test
  func `the map of the JPEG leads from SDR to HDR, with the same codes`() throws {
    let bytes = CompanionTests.converted(try Self.photo(), .jpeg) { $0.quality = 100 }.bytes
    let map = try #require(
      try JPEGGainMap(behind: JPEGSegments(Extent(bytes)), in: MemorySource(bytes)))
    #expect(map.segment == Self.reversed)
    for (index, code) in try greys(map.data.bytes()).enumerated() {
      #expect((code - Double(Self.codes[index])).magnitude <= 1)
    }
  }

  @Test
  func `a HEIC keeps the HDR base and its map as they are`() throws {
    let (report, bytes) = CompanionTests.converted(try Self.photo())
    #expect(report.status == .converted && report.outputs.first?.gainMap?.headroom == 4)
    #expect(bytes.indices.contains { bytes[$0...].starts(with: Self.parameters) })
  }

  @Test
  func `a broken map leaves the picture to the tone curve, or fails`() throws {
    var parameters = Self.parameters
    parameters.replaceSubrange(10..<14, with: [0, 0, 0, 0])
    let photo = try Self.photo(parameters)
    let report = CompanionTests.converted(photo, .jpeg).report
    #expect(report.status == .converted && report.outputs.first?.gainMap?.origin == .computed)
    #expect(report.warnings.contains { $0.contains("the gain map is left out") })
    #expect(report.warnings.contains { $0.contains("BT.2390") })
    let strict = CompanionTests.converted(photo, .jpeg) { $0.isStrictAboutHDR = true }.report
    #expect(strict.status == .failed)
  }
}
