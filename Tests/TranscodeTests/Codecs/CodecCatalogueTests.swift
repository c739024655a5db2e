// SPDX-License-Identifier: MIT

import ApusMedia
import ApusTranscode
import Testing

@Suite struct CodecCatalogueTests {
  private func catalogue(_ change: (inout CodecQuery) -> Void) -> CodecCatalogue {
    var query = CodecQuery()
    change(&query)
    return CodecCatalogue(query)
  }

  @Test
  func `it takes the codecs in the order in which they are asked for`() throws {
    let software = catalogue {
      ($0.codecs, $0.required) = (["h264", "hevc"], .software)
    }
    #expect(try software.first().id == "libx264")
    #expect(
      software.codecs.map(\.codec).sorted(by: >) == software.codecs.map(\.codec).sorted(by: >))
    let turned = catalogue { ($0.codecs, $0.required) = (["hevc", "h264"], .software) }
    #expect(try turned.first().id == "libx265")
  }

  @Test
  func `it names libx265 once, by its own library`() {
    let found = catalogue { $0.codecs = ["hevc"] }.codecs.filter { $0.id == "libx265" }
    #expect(found.count == 1)
    #expect(found.first?.library.hasPrefix("libx265 ") == true)
  }

  @Test
  func `it says of everything that is not there why`() {
    let found = catalogue { $0.codecs = ["hevc", "h264"] }
    let ids = found.codecs.map(\.id) + found.refused.map(\.id)
    #expect(Set(ids).count == ids.count)
    #expect(found.refused.allSatisfy { !$0.reason.isEmpty })
    #expect(found.codecs.allSatisfy { $0.device.isEmpty || $0.isHardware })
  }

  @Test
  func `it leaves out encoders that do not take pictures of a size`() {
    let small = catalogue { ($0.codecs, $0.size) = (["hevc"], (1280, 720)) }
    #expect(small.codecs.contains { $0.id == "libx265" })
    let huge = catalogue { ($0.codecs, $0.size) = (["hevc", "aac"], (30000, 30000)) }
    #expect(huge.codecs.isEmpty)
    #expect(huge.refused.contains { $0.id == "libx265" && $0.reason.contains("16384") })
  }

  @Test
  func `it fails with what is missing where nothing else may be taken`() {
    let found = catalogue { ($0.codecs, $0.ids, $0.required) = (["hevc"], ["libx265"], .hardware) }
    let error = #expect(throws: MediaError.self) { try found.first() }
    #expect(error?.kind == .missing)
    #expect(error?.message.contains("no hardware encoder of hevc") == true)
  }

  @Test
  func `it falls back where the other make is only preferred`() throws {
    let found = catalogue { ($0.codecs, $0.ids, $0.preferred) = (["hevc"], ["libx265"], .hardware) }
    #expect(found.fellBack)
    #expect(try found.first().id == "libx265")
    let software = catalogue { ($0.ids, $0.preferred) = (["libx265"], .software) }
    #expect(!software.fellBack)
  }

  @Test
  func `it keeps encoders and decoders apart`() {
    let decoders = catalogue { ($0.codecs, $0.role) = (["hevc"], .decoder) }
    #expect(decoders.codecs.allSatisfy { $0.role == .decoder })
    #expect(decoders.codecs.contains { $0.id == "hevc" })
  }
}
