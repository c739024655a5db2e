// SPDX-License-Identifier: MIT

import ApusBytes
import ApusFiles
import ApusStills
import ApusTranscode
import TestSupport
import Testing

@testable import ApusCommand

@Suite struct ExportTests {
  private func action(_ fixture: String, _ planner: ExportPlanner) -> String {
    planner.decision(on: InputName(path: Fixture.folder + fixture)).action.name
  }

  @Test(arguments: [
    // Fixture, images compatible, with a preset, legacy, apple.
    ("photo.heic", "convert", "convert", "convert", "copy"),
    ("av01.mp4", "copy", "transcode", "transcode", "transcode"),
    ("420.jpg", "copy", "copy", "copy", "copy"),
    ("hvc1.mp4", "copy", "transcode", "transcode", "copy"),
    ("hev1.mp4", "copy", "transcode", "transcode", "remux"),
    ("avc1.mp4", "copy", "transcode", "copy", "copy"),
    ("avc.flv", "copy", "transcode", "remux", "remux"),
    ("hdr10.mp4", "copy", "transcode", "transcode", "copy"),
    ("hevc.mkv", "copy", "transcode", "transcode", "remux"),
    ("camera.xmp", "copy", "copy", "copy", "copy"),
  ])
  func `it decides`(
    _ fixture: String, _ compatible: String, _ preset: String, _ legacy: String, _ apple: String
  ) {
    #expect(action(fixture, ExportPlanner()) == compatible)
    #expect(action(fixture, ExportPlanner(preset: .h2641080p)) == preset)
    #expect(action(fixture, ExportPlanner(receiver: .legacy)) == legacy)
    #expect(action(fixture, ExportPlanner(receiver: .apple)) == apple)
    #expect(action(fixture, ExportPlanner(receiver: .any)) == "copy")
    #expect(action(fixture, ExportPlanner(images: .current)) == "copy")
  }

  @Test
  func `settings do no more than the receiver asks for`() throws {
    var movie = MovieAbilities("mov", audio: ["pcm"])
    var pictures = MovieAbilities.Pictures(codec: "hevc")
    (pictures.width, pictures.height, pictures.bitDepth, pictures.isHDR) = (3840, 2160, 10, true)
    movie.video = [pictures]
    let legacy = try #require(ReceiverNeeds(.legacy, movie).settings(nil))
    #expect(legacy.video.codecs == [.h264])
    #expect(legacy.video.bound == SizeBound(1920, 1080))
    #expect(legacy.video.bitDepth == 8)
    #expect(legacy.video.isToneMapped)
    // PCM is taken; what the container does not take becomes AAC.
    #expect(legacy.audio.codec == .auto)
    // A preset for a codec that is not taken keeps its rate, not its codec.
    let preset = try #require(ReceiverNeeds(.legacy, movie).settings(.hevc2160p))
    #expect(preset.video.codecs == [.h264])
    #expect(preset.video.bound == SizeBound(1920, 1080))
    #expect(ReceiverNeeds(.apple, movie).reasons.isEmpty)
    var deaf = Receiver()
    deaf.audio = ["mp3"]
    #expect(ReceiverNeeds(deaf, movie).settings(nil) == nil)
    #expect(ReceiverNeeds(deaf, movie).obstacle == "Apus encodes audio only as aac")
    pictures.isDecodable = false
    movie.video = [pictures]
    #expect(ReceiverNeeds(.legacy, movie).settings(nil) == nil)
    // A picture that is smaller lies in any bound.
    (movie.video[0].width, movie.video[0].height) = (1080, 1920)
    (movie.video[0].codec, movie.video[0].bitDepth, movie.video[0].isHDR) = ("h264", 8, false)
    #expect(ReceiverNeeds(.legacy, movie).reasons.isEmpty)
  }

  @Test func `it reads descriptions`() throws {
    let text = """
      {"images": ["jpeg", "heic"], "containers": ["mp4"], "video": ["hevc"], "audio": ["aac"], "bit_depth": 10,
       "hdr": false, "size": "1280x720", "apple_hevc": true}
      """
    let receiver = try Receiver(Array(text.utf8))
    var wanted = Receiver()
    wanted.images = ["jpeg", "heic"]
    (wanted.containers, wanted.video, wanted.audio) = (["mp4"], ["hevc"], ["aac"])
    (wanted.bitDepth, wanted.takesHDR, wanted.needsAppleHEVC) = (10, false, true)
    wanted.bound = SizeBound(1280, 720)
    #expect(receiver == wanted)
    #expect(try Receiver(Array("{}".utf8)) == .any)
  }

  @Test(arguments: [
    ("[]", "the document is an array, expected an object"),
    (#"{"images": ["jpg"]}"#, "images contains jpg; known values: heic, avif, jpeg"),
    (#"{"images": "jpeg"}"#, "the document.images is text, expected a list of strings"),
    (#"{"bit_depth": 7}"#, "expected a whole number from 8 to 16"),
    (#"{"size": "big"}"#, "expected a width and height"),
    (#"{"depth": 8}"#, "the document.depth is not a known setting"),
  ])
  func `it refuses descriptions`(_ text: String, _ part: String) {
    let error = #expect(throws: UsageError.self) { try Receiver(Array(text.utf8)) }
    #expect(error?.message.contains(part) == true, "\(error?.message ?? "none")")
  }
}
