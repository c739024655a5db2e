// SPDX-License-Identifier: MIT

import ApusBytes
import ApusMedia
import ApusMetadata
import Glibc
import HEIF
import ISOBMFF
import TestSupport
import Testing

@testable import ApusStills

/// Gain maps that are described in Apple's form and by ISO 21496-1.
@Suite struct GainMapFormTests {
  /// The descriptions of a gain map in a file, and its coded samples.
  private struct Forms: Equatable {
    var toneMap: [UInt8]?
    var xmp: [UInt8]?
    var isApple: Bool
    var coded: [UInt8]
    var group: [UInt32]
    var hasBrand: Bool
  }

  private func forms(_ bytes: [UInt8]) throws -> Forms {
    let file = PhotoFile(try BoxTree(reading: MemorySource(bytes)))
    #expect(file.findings.isEmpty, "\(file.findings)")
    let map = try #require(try file.gainMap(of: file.primaryPicture()))
    let brands = file.tree.located.lazy.compactMap { $0.box(FileType.self) }.first
    let id = try #require(map.mapID)
    return Forms(
      toneMap: map.toneMap, xmp: map.xmp, isApple: map.isApple,
      coded: try file.graph.data(of: id, in: file.tree.source).flatMap { try $0.bytes() },
      group: file.graph.groups.first { $0.type == "altr" }?.entities ?? [],
      hasBrand: brands?.compatibleBrands.contains("tmap") == true)
  }

  private func converted(_ bytes: [UInt8], _ form: HEICChoices.GainMapForm = .both) -> [UInt8] {
    let (report, heic) = CompanionTests.converted(bytes) { $0.heic.gainMap = form }
    #expect(report.warnings.isEmpty && report.outputs.first?.gainMap != nil, "\(report)")
    return heic
  }

  private func edited(_ bytes: [UInt8]) throws -> (bytes: [UInt8], changes: [String]) {
    var edits = PhotoEdits()
    edits.describesGainMapTwice = true
    let photo = try EditedPhoto(MemorySource(bytes), edits)
    return (try photo.bytes(), photo.changes)
  }

  /// The parameters in an item's data.
  private func parameters(_ toneMap: [UInt8]?) throws -> GainMapParameters {
    try GainMapPayload(reading: try #require(toneMap), isItem: true).parameters()
  }

  @Test
  func `a photo with both forms keeps codes, XMP and parameters byte for byte`() throws {
    let photo = try Fixture.bytes("gain-map-tmap.heic")
    let (old, both) = (try forms(photo), try forms(converted(photo)))
    #expect(both.toneMap == old.toneMap && both.xmp == old.xmp && both.isApple)
    #expect(both.group.count == 2 && both.hasBrand)
    #expect(try both.coded == forms(converted(photo, .apple)).coded)
    // Once more, the same is written.
    #expect(try forms(converted(converted(photo))).toneMap == old.toneMap)
    #expect(try edited(photo) == (photo, []))
  }

  @Test(
    // Headroom and gamma, which another program found.
    arguments: [("gain-map-samsung.heic", 4.924578, 0.8361), ("gain-map-tmap.heic", 3.5, 0.7574)])
  func `a photo with one form gets the codes of Apple and parameters that are near`(
    _ name: String, _ headroom: Double, _ gamma: Double
  ) throws {
    let apple = converted(try Fixture.bytes(name), .apple)
    let both = converted(name.contains("tmap") ? apple : try Fixture.bytes(name))
    let (before, after) = (try forms(apple), try forms(both))
    #expect(after.isApple && after.hasBrand && after.group.count == 2)
    if !name.contains("tmap") { #expect(after.coded == before.coded && after.xmp == before.xmp) }
    #expect(
      (try #require(GainMapXMP(after.xmp ?? []).appleHeadroom) - headroom).magnitude < 1e-6)
    let parameters = try parameters(after.toneMap)
    #expect((parameters.alternateHeadroom - log2(headroom)).magnitude < 1e-6)
    let channel = parameters.channels[0]
    #expect((channel.gamma - gamma).magnitude < 1.1e-4)
    #expect(channel.minimum == 0 && channel.baseOffset == 0 && channel.alternateOffset == 0)
    // A reader prefers the parameters, so an Ultra HDR JPEG has them, too.
    let jpeg = CompanionTests.converted(both, .jpeg).report
    #expect(jpeg.outputs.first?.gainMap?.origin == .toneMap)

    let (changed, changes) = try edited(apple)
    #expect(changes.count == 1)
    let found = try forms(changed)
    // The headroom in XMP has six decimal places.
    let fit = try self.parameters(found.toneMap)
    #expect((fit.alternateHeadroom - parameters.alternateHeadroom).magnitude < 1e-6)
    #expect(fit.channels[0].gamma == channel.gamma)
    #expect(found.hasBrand && found.group.count == 2)
    #expect(found.xmp == before.xmp && found.coded == before.coded && found.isApple)
    #expect(try edited(changed) == (changed, []))
  }

  @Test
  func `a map by ISO 21496-1 gets Apple's form if its codes follow Apple's curve`() throws {
    // The parameters of an iPhone 16, without Apple's form.
    let jpeg = CompanionTests.converted(try Fixture.bytes("gain-map-tmap.heic"), .jpeg).bytes
    let lone = converted(jpeg, .iso)
    #expect(try !forms(lone).isApple && forms(lone).xmp == nil)
    let (changed, changes) = try edited(lone)
    #expect(changes == ["gain map described in Apple's form as well"])
    let (before, after) = (try forms(lone), try forms(changed))
    #expect(after.isApple && after.toneMap == before.toneMap && after.coded == before.coded)
    let headroom = try #require(GainMapXMP(after.xmp ?? []).appleHeadroom)
    #expect((headroom - 6.902452).magnitude < 1e-5)
  }

  @Test(
    arguments: [
      ("gain-map-colour.heic", "cannot store its colours"), ("gain-map-samsung.heic", "codes"),
      ("photo.heic", "no gain map"), ("420.jpg", "is a JPEG"), ("hvc1.mp4", "is a movie"),
    ])
  func `a photo that cannot have both forms is refused`(_ name: String, _ message: String) throws {
    var bytes = try Fixture.bytes(name)
    if name.contains("samsung") { bytes = converted(bytes, .iso) }
    do {
      _ = try edited(bytes)
      Issue.record("\(name) is changed")
    } catch {
      #expect("\(error)".contains(message), "\(error)")
    }
  }
}
