// SPDX-License-Identifier: MIT

import ApusBytes
import ApusContainers
import ApusMedia
import ApusSamples
import FLV
import SampleSupport
import TestSupport
import Testing

/// Track, decoding and presentation time in milliseconds, size and MD5 of a packet, as FFmpeg 9 finds them
/// (`-copyts -c copy -f framemd5`).
private let packets = [
  "0,0,80,768,a5ae2963de9adaa9b11685ca7203a50e",
  "0,40,200,46,c32182d3f2c6652fd534b1953059c616",
  "1,57,57,133,c050518bccaf1f1ef0870d04cc4c3ace",
  "0,80,160,17,7a75a92984982df97145a061bf5d56f9",
  "1,80,80,161,8d4dad3997a130e7a5ad6e90a53b5e3e",
  "1,103,103,61,b918de1656a689ef83d6ba08ecafb2bd",
  "0,120,120,16,e825c181470ab35d8d5a1ee6230d4165",
]

private func described(_ events: [SourceEvent]) throws -> [String] {
  var lines: [String] = []
  for event in events {
    guard case .sample(let sample) = event else { continue }
    let bytes = try sample.payload.bytes()
    let digest = MD5.digest(of: bytes).map { byte in
      String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
    }
    let decoding = sample.decodeTime.floored(to: 1000) ?? .min
    let presentation = sample.presentationTime.floored(to: 1000) ?? .min
    lines.append("\(sample.track),\(decoding),\(presentation),\(bytes.count),\(digest.joined())")
  }
  return lines
}

@Suite struct FLVSourceTests {
  @Test(arguments: ["enhanced.flv", "legacy.flv", "nanoseconds.flv"])
  func `it gives the packets that FFmpeg finds`(file: String) throws {
    var source = try FLVSource(Fixture.source(file))
    #expect(source.tracks.map(\.name) == ["HEVC video", "AAC audio"])
    #expect(try described(source.rest()).prefix(packets.count) == packets[...])
  }

  @Test(arguments: [true, false])
  func `it takes off ADTS headers`(hasConfiguration: Bool) throws {
    var writer = try FLVWriter(ArraySink(), header: FLVHeader(hasAudio: true, hasVideo: true))
    for tag in try OutgoingTag.withADTS(hasConfiguration: hasConfiguration) {
      try writer.append(tag)
    }
    let bytes = writer.sink.bytes
    var source = try FLVSource(MemorySource(bytes))
    var stream = try MediaInput.open(growing: pieces(of: bytes, size: 100)).source
    #expect(source.warnings.contains { $0.contains("ADTS headers") })
    #expect(source.tracks.map(\.name) == ["HEVC video", "AAC audio"])
    guard case .aac(let config) = source.tracks[1].format else {
      Issue.record("the sound is no AAC")
      return
    }
    // LC, 44.1 kHz, 1 channel: ISO/IEC 14496-3, 1.6.2.1.
    #expect(config.starts(with: [0x12, 0x08]))
    #expect(try described(source.rest()).prefix(packets.count) == packets[...])
    #expect(try described(stream.rest()).prefix(packets.count) == packets[...])
  }

  @Test(arguments: [1, 7, 4096], ["enhanced.flv", "legacy.flv"])
  func `it gives the same from a pipe`(size: Int, file: String) throws {
    let bytes = try Fixture.bytes(file)
    var whole = try FLVSource(MemorySource(bytes))
    var piped = try MediaInput.open(growing: pieces(of: bytes, size: size))
    #expect(piped.isGrowing)
    #expect(piped.source.tracks.map(\.name) == whole.tracks.map(\.name))
    #expect(try described(piped.source.rest()) == described(whole.rest()))
  }

  @Test func `it finds key frames by their pictures`() throws {
    var source = try FLVSource(Fixture.source("enhanced.flv"))
    let video = try source.samples(of: 0)
    // IDR pictures of x265, as ffprobe says of the MP4 that the file was made of.
    #expect(video.indices.filter { video[$0].isSync } == [0, 4])
  }

  @Test func `it lives through damage`() throws {
    let bytes = try Fixture.bytes("enhanced.flv")
    var survived = 0
    for place in stride(from: 0, to: min(bytes.count, 3000), by: 3) {
      for value: UInt8 in [0, 0x7f, 0xff] {
        var damaged = bytes
        damaged[place] = value
        do {
          var source = try FLVSource(MemorySource(damaged))
          var last: [Int: Int64] = [:]
          for event in try source.rest() {
            guard case .sample(let sample) = event else { continue }
            #expect(sample.decodeTime.value >= last[sample.track] ?? .min)
            last[sample.track] = sample.decodeTime.value
          }
          survived += 1
        } catch {
          #expect(!"\(error)".isEmpty)
        }
      }
    }
    #expect(survived > 1000)
  }
}
