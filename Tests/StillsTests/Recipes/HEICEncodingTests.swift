// SPDX-License-Identifier: MIT

import ApusBytes
import ApusJPEG
import ApusMedia
import HEIF
import ISOBMFF
import TestSupport
import Testing

@testable import ApusStills

/// What is decoded again here is decoded by libavcodec; `Tests/Scripts/test_heicout.py` asks libheif and exiftool.
@Suite struct HEICEncodingTests {
  static func heic(
    _ bytes: [UInt8], workers: Int = 2, _ change: (inout ConvertOptions) -> Void = { _ in }
  ) throws -> [UInt8] {
    var options = ConvertOptions()
    options.format = .heic
    options.heic.speed = .ultrafast
    change(&options)
    let (report, heic) = PhotoEngine(options, workers: workers).convertAndWait(MemorySource(bytes))
    #expect(report.status == .converted, "\(report.failure?.description ?? "")")
    return heic
  }

  /// The planes of a HEIC as they are decoded, one after the other.
  static func planes(_ heic: [UInt8]) throws -> [UInt8] {
    var options = ConvertOptions()
    options.format = .yuv
    options.keepsOrientationTag = true
    let (report, bytes) = PhotoEngine(options, workers: 2).convertAndWait(MemorySource(heic))
    #expect(report.status == .converted, "\(report.failure?.description ?? "")")
    return bytes
  }

  @Test(
    arguments: ["420.jpg", "422.jpg", "444.jpg", "gray.jpg", "progressive.jpg"])
  func `it codes the planes of a JPEG without loss`(_ name: String) throws {
    let jpeg = try Fixture.bytes(name)
    var planes: [UInt8] = []
    try unsafe JPEGDecoder().decode(CodedPicture(codec: .jpeg, samples: [jpeg])) { view in
      for index in unsafe view.planes.indices {
        let plane = unsafe view.planes[index]
        for row in unsafe 0..<view.format.height(ofPlane: index) {
          unsafe planes.append(
            contentsOf: UnsafeRawBufferPointer(
              start: plane.base + row * plane.stride, count: view.format.width(ofPlane: index)))
        }
      }
    }
    #expect(try Self.planes(Self.heic(jpeg) { $0.heic.isLossless = true }) == planes)
  }

  @Test(arguments: [false, true])
  func `it gives the same bytes for any number of workers`(isSingle: Bool) throws {
    let pixmap = Self.pixmap(1100, 700)
    let once = try Self.heic(pixmap, workers: 1) {
      $0.heic.isSingle = isSingle
      $0.heic.thumbnailSides = [160]
    }
    for workers in [2, 5] {
      let again = try Self.heic(pixmap, workers: workers) {
        $0.heic.isSingle = isSingle
        $0.heic.thumbnailSides = [160]
      }
      #expect(again == once)
    }
  }

  @Test(
    arguments: [(1, 1), (1, 40), (511, 3), (512, 16), (513, 15), (577, 530)])
  func `it codes any size`(_ width: Int, _ height: Int) throws {
    let heic = try Self.heic(Self.pixmap(width, height)) { $0.heic.isLossless = true }
    // Green, blue and red, as they are.
    let pixels = Self.pixels(width, height)
    let planes = [1, 2, 0].flatMap { channel in
      stride(from: channel, to: pixels.count, by: 3).map { pixels[$0] }
    }
    #expect(try Self.planes(heic) == planes)
  }

  @Test func `it says what the stream is`() throws {
    let heic = try Self.heic(Self.pixmap(600, 400)) { $0.heic.bitDepth = 10 }
    let file = PhotoFile(try BoxTree(reading: MemorySource(heic)))
    #expect(file.tree.findings.isEmpty)
    let plan = try file.plan(file.primaryPicture())
    #expect(plan.sources.allSatisfy { $0.format.bitDepth == 10 && $0.format.chroma == .yuv420 })
    #expect(
      plan.colour.description
        == ColourDescription(primaries: 1, transfer: 13, matrix: 6, isFullRange: true))
    #expect(plan.sources.allSatisfy { $0.colour == plan.colour.description })
  }

  @Test(arguments: 1...8)
  func `it keeps how a picture is laid, and its samples`(_ orientation: Int) throws {
    let photo = try Fixture.bytes("orientation-\(orientation).heic")
    let heic = try Self.heic(photo) { $0.heic.isLossless = true }
    let file = PhotoFile(try BoxTree(reading: MemorySource(heic)))
    let plan = try file.plan(file.primaryPicture())
    let source = PhotoFile(try BoxTree(reading: MemorySource(photo)))
    #expect(plan.orientation == (try source.plan(source.primaryPicture()).orientation))
    #expect(try Self.planes(heic) == Self.planes(photo))
  }

  @Test func `it keeps alpha, and leaves out one that hides nothing`() throws {
    for (name, count) in [("alpha-straight.heic", 1), ("photo.heic", 0)] {
      let heic = try Self.heic(Fixture.bytes(name))
      let file = PhotoFile(try BoxTree(reading: MemorySource(heic)))
      #expect(try file.plan(file.primaryPicture()).alpha.count == count)
    }
  }

  static func pixmap(_ width: Int, _ height: Int) -> [UInt8] {
    Array("P6\n# made\n\(width) \(height)\n255\n".utf8) + pixels(width, height)
  }

  static func pixels(_ width: Int, _ height: Int) -> [UInt8] {
    (0..<width * height * 3).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 7 ^ $0 / (3 * width)) }
  }
}
