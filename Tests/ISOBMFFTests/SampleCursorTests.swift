// SPDX-License-Identifier: MIT

import ApusBytes
import ISOBMFF
import TestSupport
import Testing

/// Samples as ffprobe (FFmpeg 5.1.8) finds them: `ffprobe -v error -ignore_editlist 1 -select_streams N
/// -show_entries packet=pts,dts,size,pos,flags -of csv=p=0 FILE`, the flags cut after the first letter.
struct SampleCursorTests {
  struct Row: CustomTestStringConvertible, Sendable {
    var file: String
    var track: Int
    var samples: [String]
    /// What ffprobe adds to the composition times of fragments with negative offsets, so that no sample
    /// is shown before it is decoded.
    var shift: Int64

    init(_ file: String, track: Int, shift: Int64 = 0, _ samples: [String]) {
      self.file = file
      self.track = track
      self.samples = samples.flatMap { $0.split(separator: " ").map(String.init) }
      self.shift = shift
    }

    var testDescription: String { "track \(track) of \(file)" }
  }

  @Test(arguments: rows) func `it finds every sample`(_ row: Row) throws {
    let movie = Movie(try Fixture.tree(row.file))
    var cursor = movie.tracks[row.track].samples()
    var found: [String] = []
    while let sample = try cursor.next() {
      #expect(sample.index == found.count)
      #expect(sample.descriptionIndex == 1)
      let time = sample.compositionTime + row.shift
      let key = sample.isSync ? "K" : "_"
      found.append("\(time),\(sample.decodeTime),\(sample.size),\(sample.offset),\(key)")
    }
    #expect(found == row.samples)
    #expect(movie.tracks[row.track].sampleCount == row.samples.count)
    #expect(try cursor.next() == nil)
  }

  /// A file may have very many tracks of few samples.
  @Test(arguments: [0, 1]) func `it reads the small tables of a track at once`(track: Int) throws {
    let source = CountedSource(try Fixture.source("hvc1.mp4"))
    let movie = Movie(try BoxTree(reading: source))
    let before = source.readings
    var cursor = movie.tracks[track].samples()
    #expect(source.readings == before)
    while try cursor.next() != nil {}
    #expect(source.readings == before + 1)
  }

  static let rows = [
    Row(
      "hvc1.mp4", track: 0,
      [
        "1024,0,768,44,K 2560,512,46,812,_ 2048,1024,17,991,_ 1536,1536,16,1230,_",
        "4096,2048,749,1394,K 3584,2560,16,2290,_ 3072,3072,16,2418,_ 5632,3584,26,2607,_",
        "5120,4096,15,2841,_ 4608,4608,16,3044,_",
      ]),
    Row(
      "hvc1.mp4", track: 1,
      [
        "0,0,133,858,K 1024,1024,161,1008,K 2048,2048,61,1169,K 3072,3072,70,1246,K",
        "4096,4096,78,1316,K 5120,5120,75,2143,K 6144,6144,72,2218,K 7168,7168,112,2306,K",
        "8192,8192,84,2434,K 9216,9216,89,2518,K 10240,10240,93,2633,K 11264,11264,115,2726,K",
        "12288,12288,84,2856,K 13312,13312,104,2940,K 14336,14336,83,3060,K",
        "15360,15360,102,3143,K 16384,16384,66,3245,K 17408,17408,131,3311,K",
        "18432,18432,5,3442,K",
      ]),
    Row(
      "fragmented.mp4", track: 0,
      [
        "1024,0,768,1574,K 2560,512,46,2342,_ 2048,1024,17,2388,_ 1536,1536,16,2405,_",
        "4096,2048,749,3288,K 3584,2560,16,4037,_ 3072,3072,16,4053,_ 5632,3584,26,4069,_",
        "5120,4096,15,4095,_ 4608,4608,16,4110,_",
      ]),
    Row(
      "fragmented.mp4", track: 1,
      [
        "0,0,133,2421,K 3528,3528,161,2554,K 4552,4552,61,2715,K 5576,5576,70,2776,K",
        "6600,6600,78,2846,K 7624,7624,75,4126,K 8648,8648,72,4201,K 9672,9672,112,4273,K",
        "10696,10696,84,4385,K 11720,11720,89,4469,K 12744,12744,93,4558,K",
        "13768,13768,115,4651,K 14792,14792,84,4766,K 15816,15816,104,4850,K",
        "16840,16840,83,4954,K 17864,17864,102,5037,K 18888,18888,66,5139,K",
        "19912,19912,131,5205,K 20936,20936,5,5336,K",
      ]),
    Row(
      "dash.mp4", track: 0, shift: 1024,
      [
        "1024,0,768,1063,K 2560,512,46,1831,_ 2048,1024,17,1877,_ 1536,1536,16,1894,_",
        "4096,2048,749,2106,K 3584,2560,16,2855,_ 3072,3072,16,2871,_ 5632,3584,26,2887,_",
        "5120,4096,15,2913,_ 4608,4608,16,2928,_",
      ]),
    Row(
      "smooth.ismv", track: 0, shift: 800_000,
      [
        "800000,0,768,1011,K 2000000,400000,46,1779,_ 1600000,800000,17,1825,_",
        "1200000,1200000,16,1842,_ 3200000,1600000,749,2058,K 2800000,2000000,16,2807,_",
        "2400000,2400000,16,2823,_ 4400000,2800000,26,2839,_ 4000000,3200000,15,2865,_",
        "3600000,3600000,16,2880,_",
      ]),
    Row(
      "edit-list.mp4", track: 0,
      [
        "1024,0,768,44,K 2560,512,18,812,_ 2048,1024,15,963,_ 1536,1536,16,1200,_",
        "4096,2048,820,1364,K 3584,2560,16,2331,_ 3072,3072,16,2459,_ 5632,3584,52,2648,_",
        "5120,4096,21,2908,_ 4608,4608,16,3117,_ 7168,5120,708,3216,K 6656,5632,16,4105,_",
        "6144,6144,16,4301,_ 8192,6656,19,4401,_ 7680,7168,15,4619,_",
      ]),
    Row(
      "movie.mov", track: 0,
      [
        "1024,0,768,40,K 2560,512,46,808,_ 2048,1024,17,987,_ 1536,1536,16,1226,_",
        "4096,2048,749,1390,K 3584,2560,16,2286,_ 3072,3072,16,2414,_ 5632,3584,26,2603,_",
        "5120,4096,15,2837,_ 4608,4608,16,3040,_",
      ]),
    Row(
      "movie.mov", track: 2,
      [
        "0,0,4,36,K"
      ]),
    Row(
      "large-mdat.mp4", track: 0,
      [
        "1024,0,768,52,K 2560,512,46,820,_ 2048,1024,17,999,_ 1536,1536,16,1238,_",
        "4096,2048,749,1402,K 3584,2560,16,2298,_ 3072,3072,16,2426,_ 5632,3584,26,2615,_",
        "5120,4096,15,2849,_ 4608,4608,16,3052,_",
      ]),
    Row(
      "avc1.mp4", track: 0,
      [
        "1024,0,880,48,K 3072,512,38,928,_ 2048,1024,13,966,_ 1536,1536,12,979,_",
        "2560,2048,13,991,_ 3584,2560,18,1004,_ 4096,3072,918,1022,K 5632,3584,18,1940,_",
        "4608,4096,20,1958,_ 5120,4608,13,1978,_",
      ]),
    Row(
      "audio-codecs.mp4", track: 3,
      [
        "0,0,1205,686,K"
      ]),
  ]
}
