// SPDX-License-Identifier: MIT

import ApusTLS
import Bytes
import Files
import Live
import Media
import RTMP
import Transport

/// The service that says where a stream goes, and what it is to be like.
struct ServiceOptions: ArgumentGroup {
  static let heading = "Service"

  var url: String?
  var file: String?

  var isSet: Bool { url != nil || file != nil }

  mutating func arguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    try v.option(
      "config-url", "URL", &url,
      "ask this service where the stream goes, as Twitch and Amazon IVS want it (GetClientConfiguration)"
    )
    try v.option(
      "config-file", "FILE", &file, completion: .files,
      "an answer of such a service, instead of asking for it")
  }

  /// Seconds that a service has to answer.
  private static let patience = 10

  /// Where a stream goes, by the answer of the service.
  func destination(
    of input: StreamInput, of verb: Stream, _ key: StreamKey, _ trust: TLSTrust, _ console: Console
  ) throws -> StreamDestination {
    let canBeReadAgain =
      !input.isLive && verb.inputs.count == 1 && verb.inputs != ["-"] && !verb.isCoding
    let survey = try StreamSurvey(
      of: input.source, canBeReadAgain: canBeReadAgain, frameRate: verb.frameRate,
      bitRate: verb.bitRate?.value)
    guard !survey.videos.isEmpty else {
      throw MediaError(.unsupported, of: .input, "has no video, which the service wants")
    }
    let bytes = try url.map { try ask($0, survey, key, trust, console) } ?? saved()
    let configuration = try ServiceConfiguration(bytes, hiding: key)
    if let warning = configuration.warning { console.warn("the service warns: \(warning)") }
    var fit = ConfigurationFit(survey.videos, to: configuration.videos)
    fit.compare(survey.sounds, to: configuration.sounds)
    for warning in fit.warnings { console.warn(warning) }
    try fit.check()
    var destination = StreamDestination([try configuration.address(key)])
    destination.isMultitrack = configuration.videos.count > 1 || survey.sounds.count > 1
    // Such services speak Enhanced RTMP.
    destination.dialect = .enhanced
    return destination
  }

  private func ask(
    _ url: String, _ survey: StreamSurvey, _ key: StreamKey, _ trust: TLSTrust, _ console: Console
  ) throws -> [UInt8] {
    guard var post = HTTPPost(url: url), post.isSecure || post.isLoopback else {
      throw UsageError("--config-url is https://HOST[:PORT]/PATH, since the stream key goes there")
    }
    if survey.videos.contains(where: { $0.frameRate == nil }) {
      console.warn(
        "the frame rate is not known before the stream begins; the service is told "
          + "\(ClientConfigurationRequest.assumedRate), or what --fps says")
    }
    post.trust = trust
    let request = ClientConfigurationRequest(key: key, survey: survey)
    let answer: (status: Int, body: [UInt8])
    do throws(TransportError) {
      answer = try post.send(json: request.json, within: Self.patience)
    } catch {
      throw MediaError(.io, key.masked("\(error)"))
    }
    guard (200..<300).contains(answer.status) else {
      throw MediaError(.io, "\(post.host) answers with \(answer.status), and no configuration")
    }
    return answer.body
  }

  private func saved() throws -> [UInt8] {
    guard let file else { return [] }
    return try InputName(path: file).smallFile("an answer of a service")
  }
}

/// Where a stream goes, and how.
struct StreamDestination {
  var addresses: [Address]
  /// How HEVC is sent if nothing else was chosen.
  var dialect: DialectChoice?
  var isMultitrack = false

  init(_ addresses: [Address]) { self.addresses = addresses }

  /// The options for this destination.
  func applied(to standard: PublishOptions) -> PublishOptions {
    var options = standard
    if let dialect, options.dialect == .auto { options.dialect = dialect }
    if isMultitrack { options.forcesMultitrack = true }
    return options
  }
}
