// SPDX-License-Identifier: MIT

import ApusBytes
import ApusRecords
import ISOBMFF
import TestSupport
import Testing

/// The positions are those of the bytes in the files, the types those that `ffmpeg -bsf:v trace_headers` names.
struct UnitTests {
  @Test(arguments: [
    ("hvc1.mp4", 1, "IDR_N_LP"), ("hev1.mp4", 1, "IDR_N_LP"), ("avc1.mp4", 1, "IDR slice"),
    ("fragmented.mp4", 1, "IDR_N_LP"), ("slices.mp4", 3, "IDR_N_LP"),
  ]) func `it reads the slices of the first sample`(
    _ name: String, _ least: Int, _ type: String
  ) throws {
    let tree = try Fixture.tree(name)
    let track = try #require(Movie(tree).tracks.first { $0.handler == "vide" })
    var reader = TrackUnits(of: track, in: tree.source)
    var cursor = track.samples()
    let sample = try #require(try cursor.next())
    let data = reader.units(of: sample)
    #expect(data.failure == nil)
    let slices = data.units.filter(\.isSlice)
    #expect(slices.count >= least)
    #expect(slices.first?.name == type)
    for unit in data.units {
      #expect(unit.failure == nil)
      #expect(sample.range.contains(unit.range.lowerBound))
      // Every bit belongs to one field, or to the rest.
      var position = unit.range.lowerBound * 8
      for field in unit.fields + [unit.rest].compactMap(\.self) {
        #expect(field.position == position)
        position += field.bits
      }
      #expect(position == unit.range.upperBound * 8)
    }
  }

  @Test(arguments: ["hvc1.mp4", "avc1.mp4", "fragmented.mp4", "hev1.mp4", "slices.mp4"])
  func `it finds the sample of each byte`(_ name: String) throws {
    let tree = try Fixture.tree(name)
    for track in Movie(tree).tracks where track.handler == "vide" {
      var cursor = track.samples()
      while let sample = try cursor.next(), sample.index < 3 {
        for offset in [sample.offset, sample.range.upperBound - 1] {
          let user = try #require(try ByteUser(of: offset, in: tree))
          guard case .sample(let found, let owner, _) = user.user else {
            Issue.record("byte \(offset) is not in a sample")
            continue
          }
          #expect(found == sample)
          #expect(owner.id == track.id)
          #expect(user.unit != nil)
        }
      }
    }
  }

  @Test func `it finds no user of bytes of boxes`() throws {
    #expect(try ByteUser(of: 5, in: Fixture.tree("hvc1.mp4")) == nil)
  }

  /// Leading zeros, then an access unit delimiter and a slice without sets: by hand from ITU-T H.265, Annex B.
  @Test func `it reads a bare stream in pieces`() throws {
    let source = MemorySource(hex("00000001 460110 000001 2601af80 00000001 460110 000001 0201d0"))
    var stream = StreamUnits(in: source, isAVC: false)
    let first = try #require(try stream.next())
    #expect(first.units.map(\.name) == ["AUD_NUT", "IDR_W_RADL"])
    #expect(first.units.map(\.range) == [4..<7, 10..<14])
    #expect(first.units[1].failure?.message.contains("whose parameter sets were not seen") == true)
    let second = try #require(try stream.next())
    #expect(second.units.map(\.range) == [18..<21, 24..<27])
    #expect(try stream.next() == nil)
    let user = try #require(try ByteUser(of: 12, inStream: source, isAVC: false))
    #expect(user.unit?.name == "IDR_W_RADL")
    #expect(try ByteUser(of: 2, inStream: source, isAVC: false) == nil)
  }
}
