// SPDX-License-Identifier: MIT

import ApusFFmpeg
import ApusMedia
import Synchronization
import TestSupport
import Testing

@Suite struct ForeignMediaTests {
  private func bytes(_ contents: [UInt8]) -> ForeignBytes {
    ForeignBytes(count: contents.count) { range, output throws(MediaError) in
      for byte in contents[range] { output.append(byte) }
    }
  }

  private func packets(_ media: ForeignMedia) throws(MediaError) -> [ForeignPacket] {
    var packets: [ForeignPacket] = []
    while let packet = try media.next() { packets.append(packet) }
    return packets
  }

  /// As ffprobe finds it.
  @Test func `it says what is inside`() throws {
    let media = try ForeignMedia(bytes(Fixture.bytes("hevc.mkv")))
    #expect(media.format == "matroska,webm")
    #expect(media.tags.contains(ForeignTag(name: "title", value: "Pattern")))
    #expect(media.streams.map(\.codec) == ["hevc", "aac"])
    #expect(media.streams.map(\.kind) == [.video, .audio])
    #expect(media.streams.map(\.unit) == [Fraction(1, 1000), Fraction(1, 1000)])
    #expect((media.streams[0].width, media.streams[0].height) == (64, 48))
    #expect(media.streams[0].configuration.first == 1)
    #expect((media.streams[1].sampleRate, media.streams[1].channels) == (44100, 1))
    #expect(media.streams[1].tags.contains(ForeignTag(name: "language", value: "deu")))
    #expect(!media.isDiscontinuous && media.hasTimes)
  }

  @Test func `it gives every packet in order`() throws {
    let media = try ForeignMedia(bytes(Fixture.bytes("hevc.mkv")))
    let pictures = try packets(media).filter { $0.stream == 0 }
    // All begins 23 ms later than in the movie, for the sound before its first moment.
    #expect(
      pictures.map(\.presentationTime) == [23, 143, 103, 63, 263, 223, 183, 383, 343, 303])
    #expect(pictures.indices.filter { pictures[$0].isKey } == [0, 4])
    #expect(pictures.allSatisfy { !$0.isDamaged && !$0.bytes.isEmpty })
  }

  /// FFmpeg logs the same: "File ended prematurely".
  @Test func `it keeps what is said of damage`() throws {
    let whole = try ForeignMedia(bytes(Fixture.bytes("hevc.mkv")))
    _ = try packets(whole)
    #expect((whole.complaintsOfOpening + whole.complaints).isEmpty)
    let media = try ForeignMedia(bytes(Array(Fixture.bytes("hevc.mkv").dropLast(2000))))
    media.endOpening()
    #expect(media.complaintsOfOpening.isEmpty)
    _ = try packets(media)
    #expect(media.complaints.contains { $0.hasPrefix("File ended prematurely") })
  }

  @Test func `it leaves out what is not wanted`() throws {
    let media = try ForeignMedia(bytes(Fixture.bytes("hevc.mkv")))
    media.skip(0)
    #expect(Set(try packets(media).map(\.stream)) == [1])
  }

  /// Playlists and lists of files would make it open others.
  @Test(arguments: [
    "ffconcat version 1.0\nfile '/etc/passwd'\n", "#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n",
    "v=0\r\no=- 0 0 IN IP4 127.0.0.1\r\ns=x\r\nc=IN IP4 127.0.0.1\r\nm=video 5004 RTP/AVP 96\r\n",
    "", "no container at all",
  ])
  func `it refuses what is no container`(text: String) {
    #expect(throws: MediaError.self) { try ForeignMedia(bytes(Array(text.utf8))) }
  }

  @Test func `it tells why its bytes cannot be read`() throws {
    let contents = try Fixture.bytes("hevc.mkv")
    let failure = MediaError(.incomplete, "the disk is gone")
    let broken = ForeignBytes(count: contents.count) { range, output throws(MediaError) in
      guard range.upperBound <= 1 << 12 else { throw failure }
      for byte in contents[range] { output.append(byte) }
    }
    #expect(throws: failure) {
      while try ForeignMedia(broken).next() != nil {}
    }
  }

  @Test func `it ends when it is interrupted`() throws {
    let interruption = ForeignInterruption()
    let media = try ForeignMedia(bytes(Fixture.bytes("hevc.mkv")), interruption)
    _ = try media.next()
    interruption.interrupt()
    #expect(throws: MediaError.self) { try packets(media) }
  }

  /// Cut anywhere it gives a beginning of the same packets, or says that it cannot be opened.
  @Test func `it survives every cut`() throws {
    let contents = try Fixture.bytes("hevc.mkv")
    let whole = try packets(ForeignMedia(bytes(contents)))
    var opened = 0
    for length in stride(from: 0, to: contents.count, by: 97) {
      guard let media = try? ForeignMedia(bytes(Array(contents[..<length]))) else { continue }
      opened += 1
      let found = (try? packets(media)) ?? []
      #expect(found.count <= whole.count)
    }
    #expect(opened > 10)
  }

  @Test func `it survives flipped bits`() throws {
    let contents = try Fixture.bytes("hevc.mkv")
    var opened = 0
    for place in stride(from: 0, to: contents.count * 8, by: 211) {
      var broken = contents
      broken[place / 8] ^= 1 << UInt8(place % 8)
      guard let media = try? ForeignMedia(bytes(broken)) else { continue }
      opened += 1
      _ = try? packets(media)
    }
    #expect(opened > 50)
  }
}
