// SPDX-License-Identifier: MIT

import ApusBytes
import ApusSamples
import SampleSupport
import TestSupport
import Testing

@testable import ApusContainers

@Suite struct AACFrameReaderTests {
  /// The frames of the first sound of a fixture, which FFmpeg encoded, with the reader for them.
  private func frames(_ name: String) throws -> (reader: AACFrameReader, frames: [[UInt8]]) {
    var source = try MovieSource(Fixture.source(name))
    let track = try #require(source.tracks.firstIndex { $0.kind == .audio })
    guard case .aac(let configuration) = source.tracks[track].format else {
      throw SyntaxError(.unsupported, field: name, detail: "has other sound")
    }
    let reader = try #require(AACFrameReader(configuration))
    return (reader, try source.samples(of: track).map { try $0.payload.bytes() })
  }

  @Test(arguments: ["hvc1.mp4", "movie.mov", "edit-list.mp4", "fragmented.mp4", "large-mdat.mp4"])
  func `it finds the sizes of frames in their syntax`(_ name: String) throws {
    let (reader, frames) = try frames(name)
    #expect(!frames.isEmpty)
    var rest = frames.flatMap(\.self)[...]
    for frame in frames {
      #expect(reader.size(of: rest) == frame.count)
      #expect(reader.mayBegin(with: frame[0]))
      rest = rest.dropFirst(frame.count)
    }
  }

  @Test func `it takes no frame that is cut`() throws {
    let (reader, frames) = try frames("hvc1.mp4")
    for frame in frames {
      for count in frame.indices { #expect(reader.size(of: frame[..<count]) == nil) }
    }
  }

  @Test func `it takes few other bytes for frames`() throws {
    let (reader, _) = try frames("hvc1.mp4")
    var generator = SystemRandomNumberGenerator()
    let bytes = (0..<20_000).map { _ in UInt8.random(in: 0...255, using: &generator) }
    let found = bytes.indices.count {
      reader.size(of: bytes[$0...].prefix(reader.mostBytes)) != nil
    }
    #expect(found < bytes.count / 50, "\(found) frames")
  }

  @Test(arguments: [[0x0a, 0x10], [0x2b, 0x92, 0x08], [], [0xf8, 0xe6, 0x50]] as [[UInt8]])
  func `it reads no other object types`(_ configuration: [UInt8]) {
    // Main profile, HE-AAC over Main, nothing, and ELD.
    #expect(AACFrameReader(configuration) == nil)
  }

  @Test func `its bands end where frames end`() throws {
    for index in 0..<13 {
      let bands = try #require(AACBands(frequencyIndex: index, hasShortFrames: false))
      #expect(bands.long.last == 1024 && bands.short.last == 128)
      let short = try #require(AACBands(frequencyIndex: index, hasShortFrames: true))
      #expect(short.long.last == 960 && short.short.last == 120)
      for table in [bands.long, bands.short, short.long, short.short] {
        #expect(zip(table, table.dropFirst()).allSatisfy { $0 < $1 })
      }
    }
    // Table 4.85 and those after it: the numbers of bands at 48,000, 32,000 and 8,000 Hz.
    let counts = [3, 5, 11].map { AACBands(frequencyIndex: $0, hasShortFrames: false) }
    #expect(counts.map { ($0?.long.count ?? 0) - 1 } == [49, 51, 40])
    #expect(counts.map { ($0?.short.count ?? 0) - 1 } == [14, 14, 15])
  }

  @Test func `its codebooks leave no code unused`() {
    for codebook in AACCodebook.spectral.dropFirst() + [.scaleFactors] {
      let longest = codebook.counts.count
      let sum = codebook.counts.enumerated().reduce(0) {
        $0 + $1.element << (longest - $1.offset - 1)
      }
      #expect(sum == 1 << longest)
      let count = codebook.counts.reduce(0, +)
      #expect(codebook.extras.isEmpty || codebook.extras.count == count)
    }
    #expect(Set(AACCodebook.scaleFactorDifferences) == Set(-60...60))
  }
}
