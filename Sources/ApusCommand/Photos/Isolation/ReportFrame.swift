// SPDX-License-Identifier: MIT

import ApusBytes
import ApusFiles
import ApusMedia
import ApusStills

/// A report of a worker process about one photo.
struct ReportFrame: SyntaxStructure {
  private var status: UInt8 = 0
  private var outputs: [Output] = []
  private var bytesIn: UInt64 = 0
  private var nanoseconds: UInt64 = 0
  private var warnings: [FrameText] = []
  /// It holds one element or none.
  private var failures: [FailureFrame] = []
  /// It holds one element or none.
  private var videos: [Live] = []
  private var isEmbedded: UInt8 = 0
  private var isCopied: UInt8 = 0
  private var decoders: [Codec] = []
  private var encoders: [Codec] = []
  private var existing: [FrameText] = []
  private var losses: [HoldingFrame] = []

  init() {}

  init(_ report: PhotoReport) {
    status = UInt8(PhotoReport.Status.allCases.firstIndex(of: report.status) ?? 0)
    outputs = report.outputs.map(Output.init)
    bytesIn = UInt64(report.bytesIn)
    nanoseconds = UInt64(max(report.seconds, 0) * 1e9)
    warnings = report.warnings.map(FrameText.init)
    failures = report.failure.map { [FailureFrame($0)] } ?? []
    videos = report.live.map { [Live($0)] } ?? []
    isEmbedded = report.isEmbedded ? 1 : 0
    isCopied = report.isCopied ? 1 : 0
    decoders = report.decoders.map(Codec.init)
    encoders = report.encoders.map(Codec.init)
    existing = report.existing.map(FrameText.init)
    losses = report.losses.map(HoldingFrame.init)
  }

  mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(8, "status", &status)
    try v.list("outputs", &outputs, count: v.count(32, "output_count", outputs.count))
    try v.u(64, "bytes_in", &bytesIn)
    try v.u(64, "nanoseconds", &nanoseconds)
    try v.list("warnings", &warnings, count: v.count(32, "warning_count", warnings.count))
    try v.list("failures", &failures, count: v.count(32, "failure_count", failures.count))
    try v.list("videos", &videos, count: v.count(32, "video_count", videos.count))
    try v.u(8, "is_embedded", &isEmbedded)
    try v.u(8, "is_copied", &isCopied)
    try v.list("decoders", &decoders, count: v.count(32, "decoder_count", decoders.count))
    try v.list("encoders", &encoders, count: v.count(32, "encoder_count", encoders.count))
    try v.list("existing", &existing, count: v.count(32, "existing_count", existing.count))
    try v.list("losses", &losses, count: v.count(32, "loss_count", losses.count))
  }

  /// Returns the report. A process that a broken photo has taken over is not trusted: it cannot report another photo than
  /// the one that it was given.
  func report(for item: BatchItem) -> PhotoReport {
    var report = PhotoReport(input: item.name.path)
    let statuses = PhotoReport.Status.allCases
    report.status = Int(status) < statuses.count ? statuses[Int(status)] : .failed
    report.outputs = outputs.map(\.output)
    report.bytesIn = Int(clamping: bytesIn)
    report.seconds = Double(nanoseconds) / 1e9
    report.warnings = warnings.map(\.text)
    report.failure = failures.first?.failure
    report.live = videos.first?.live
    report.isEmbedded = isEmbedded == 1
    report.isCopied = isCopied == 1
    report.decoders = decoders.map(\.use)
    report.encoders = encoders.map(\.use)
    report.losses = losses.map(\.holding)
    report.existing = existing.map(\.text)
    return report
  }
}

private struct Output: SyntaxStructure {
  private var path = FrameText()
  /// The role: 0 for the primary picture, from 2 on for others, and the constants below.
  private var role: UInt32 = 0
  /// The name of a part.
  private var name = FrameText()
  /// The extension of the file name of a part or a video.
  private var ending = FrameText()
  private static let part = UInt32.max
  private static let video = UInt32.max - 1
  private var width: UInt32 = 0
  private var height: UInt32 = 0
  private var bytes: UInt64 = 0
  /// It holds one element or none.
  private var gainMaps: [GainMap] = []

  init() {}
  init(_ output: PhotoReport.Output) {
    path = FrameText(output.path)
    switch output.role {
    case .primary: break
    case .other(let number): role = min(UInt32(clamping: number), Self.video - 1)
    case .part(let name, let ending):
      (role, self.name, self.ending) = (Self.part, FrameText(name), FrameText(ending))
    case .video(let ending): (role, self.ending) = (Self.video, FrameText(ending))
    }
    width = UInt32(clamping: output.width)
    height = UInt32(clamping: output.height)
    bytes = UInt64(clamping: output.bytes)
    gainMaps = output.gainMap.map { [GainMap($0)] } ?? []
  }

  private var pictureRole: PictureRole {
    switch role {
    case 0: .primary
    case Self.part: .part(name.text, extension: ending.text)
    case Self.video: .video(extension: ending.text)
    default: .other(Int(role))
    }
  }

  var output: PhotoReport.Output {
    var output = PhotoReport.Output(
      path: path.text, role: pictureRole, width: Int(width),
      height: Int(height), bytes: Int(clamping: bytes))
    output.gainMap = gainMaps.first?.map
    return output
  }

  mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.group("path", &path)
    try v.u(32, "role", &role)
    try v.group("name", &name)
    try v.group("ending", &ending)
    try v.u(32, "width", &width)
    try v.u(32, "height", &height)
    try v.u(64, "bytes", &bytes)
    try v.list("gain_maps", &gainMaps, count: v.count(32, "gain_map_count", gainMaps.count))
  }
}

private struct Live: SyntaxStructure {
  private var video = FrameText()
  private var bytes: UInt64 = 0
  private var basis: UInt8 = 0
  private var outcome: UInt8 = 0
  /// It holds one element or none.
  private var outputs: [FrameText] = []

  init() {}
  init(_ live: PhotoReport.Live) {
    video = FrameText(live.video)
    bytes = UInt64(clamping: live.bytes)
    basis = UInt8(LiveVideo.Basis.allCases.firstIndex(of: live.basis) ?? 0)
    outcome = UInt8(PhotoReport.Live.Outcome.allCases.firstIndex(of: live.outcome) ?? 0)
    outputs = live.output.map { [FrameText($0)] } ?? []
  }

  var live: PhotoReport.Live {
    PhotoReport.Live(
      video: video.text, bytes: Int(clamping: bytes),
      basis: LiveVideo.Basis.allCases.at(basis) ?? .name,
      outcome: PhotoReport.Live.Outcome.allCases.at(outcome) ?? .dropped,
      output: outputs.first?.text)
  }

  mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.group("video", &video)
    try v.u(64, "bytes", &bytes)
    try v.u(8, "basis", &basis)
    try v.u(8, "outcome", &outcome)
    try v.list("outputs", &outputs, count: v.count(32, "output_count", outputs.count))
  }
}

extension Array {
  /// Returns `nil` beyond the end.
  fileprivate func at(_ place: UInt8) -> Element? { Int(place) < count ? self[Int(place)] : nil }
}

private struct GainMap: SyntaxStructure {
  private var width: UInt32 = 0
  private var height: UInt32 = 0
  private var bytes: UInt64 = 0
  /// The bits of a number.
  private var headroom: UInt64 = 0
  private var origin = FrameText()

  init() {}
  init(_ map: PhotoReport.GainMap) {
    width = UInt32(clamping: map.width)
    height = UInt32(clamping: map.height)
    bytes = UInt64(clamping: map.bytes)
    headroom = map.headroom.bitPattern
    origin = FrameText(map.origin.rawValue)
  }

  var map: PhotoReport.GainMap {
    let headroom = Double(bitPattern: headroom)
    return PhotoReport.GainMap(
      width: Int(width), height: Int(height), bytes: Int(clamping: bytes),
      headroom: headroom.isFinite ? headroom : 1,
      origin: GainMapOrigin(rawValue: origin.text) ?? .computed)
  }

  mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(32, "width", &width)
    try v.u(32, "height", &height)
    try v.u(64, "bytes", &bytes)
    try v.u(64, "headroom", &headroom)
    try v.group("origin", &origin)
  }
}

private struct Codec: SyntaxStructure {
  private var name = FrameText()
  private var pictures: UInt32 = 0
  /// The reason; empty where there is none.
  private var reason = FrameText()

  init() {}
  init(_ use: CodecUse) {
    name = FrameText(use.name)
    pictures = UInt32(clamping: use.pictures)
    reason = FrameText(use.reason ?? "")
  }

  var use: CodecUse {
    CodecUse(
      name: name.text, pictures: Int(pictures), reason: reason.text.isEmpty ? nil : reason.text)
  }

  mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.group("name", &name)
    try v.u(32, "pictures", &pictures)
    try v.group("reason", &reason)
  }
}
