// SPDX-License-Identifier: MIT

import HEVC
import Media
import RTMP
import Testing

@testable import ApusCommand

@Suite struct ServiceConfigurationTests {
  private func configuration(_ endpoints: String, key: String = "own", id: String = "7")
    throws -> ServiceConfiguration
  {
    let text = """
      {"meta": {"config_id": "\(id)"}, "ingest_endpoints": [\(endpoints)], "encoder_configurations": []}
      """
    return try ServiceConfiguration(Array(text.utf8), hiding: StreamKey(key))
  }

  @Test func `the address has the service's key, both queries and the configuration`() throws {
    let plain = #"{"protocol": "RTMP", "url_template": "rtmp://one.example/app/{stream_key}"}"#
    let secure = """
      {"protocol": "RTMPS", "url_template": "rtmps://two.example:443/app/{stream_key}?token=a", \
      "authentication": "theirs"}
      """
    let first = try configuration(plain).address(StreamKey("own?bandwidthtest=true"))
    #expect(first.tcURL == "rtmp://one.example/app")
    #expect(first.key.unmasked == "own?bandwidthtest=true&clientConfigId=7")
    // A server over TLS is preferred, wherever it stands.
    let second = try configuration("\(plain), \(secure)", id: "a b").address(StreamKey("own?x=1"))
    #expect(second.tcURL == "rtmps://two.example/app")
    #expect(second.key.unmasked == "theirs?token=a&x=1&clientConfigId=a%20b")
    let nameless = try configuration(plain, id: "").address(StreamKey("own"))
    #expect(nameless.key.unmasked == "own")
  }

  @Test(arguments: [
    ("jim_hevc_nvenc", "h265"), ("obs_nvenc_hevc_tex", "h265"), ("h265_texture_amf", "h265"),
    ("jim_nvenc", "h264"), ("obs_x264", "h264"), ("h264_texture_amf", "h264"),
    ("obs_qsv11_v2", "h264"), ("obs_qsv11_hevc", "h265"), ("obs_nvenc_av1_tex", "av1"),
    ("com.apple.videotoolbox.videoencoder.ave.avc", "h264"), ("something", nil),
  ])
  func `the name of an encoder says its codec`(_ name: String, _ codec: String?) {
    let video = ServiceConfiguration.Video(encoder: name, width: 0, height: 0)
    #expect(video.codec == codec)
  }

  @Test func `what differs is named, and what is near does not differ`() throws {
    let video = StreamSurvey.Video(
      codec: "h265", width: 1920, height: 1080, frameRate: FrameRate(30000, 1001),
      bitRate: 6_200_000)
    let near = ServiceConfiguration.Video(
      encoder: "jim_hevc_nvenc", width: 1920, height: 1080, frameRate: 30, bitRate: 6_000_000)
    let fit = ConfigurationFit([video], to: [near])
    #expect(fit.misfits.isEmpty && fit.warnings.isEmpty)
    let other = ServiceConfiguration.Video(
      encoder: "av1", width: 1280, height: 720, frameRate: 60, bitRate: 3_000_000)
    let far = ConfigurationFit([video], to: [other, near])
    #expect(far.misfits.count == 3)
    #expect(far.warnings.count == 2)
    #expect(throws: MediaError.self) { try far.check() }
    #expect(ConfigurationFit([video], to: []).misfits.isEmpty)
  }
}
