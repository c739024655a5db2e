// SPDX-License-Identifier: MIT

import ApusBytes
import ApusLive
import FLV
import RTMP

/// The results for a server as text.
struct DoctorText {
  var palette = Palette()

  init(_ palette: Palette = Palette()) { self.palette = palette }

  func lines(_ report: ExaminationReport, of address: Address) -> [String] {
    guard let server = report.server else { return [] }
    var lines =
      ["\(address)".printable] + about(server).map { "  \($0): \($1.printable)" } + [""]
    for trial in report.trials {
      lines.append("\(palette.name(name(of: trial.dialect))): \(verdict(trial, server))")
      lines += details(trial, server).map { "  " + $0.printable }
    }
    return lines + ["", advice(report)]
  }

  private func about(_ server: ServerProfile) -> [(String, String)] {
    var facts = [("connected to", server.peer)]
    let names = (server.program.map { [$0] } ?? []) + server.software.map { "“\($0)”" }
    facts.append(
      ("server", names.isEmpty ? "unknown" : names.joined(separator: ", ")))
    let hex = server.versionBytes.map { $0.hexadecimal(width: 2) }
    var handshake = "version bytes " + hex.joined(separator: " ")
    if let signs = server.signsHandshake {
      handshake += signs ? ", signed if the client signs" : ", not signed"
    }
    facts.append(("handshake", handshake))
    facts.append(("Enhanced RTMP", capabilities(server)))
    return facts
  }

  private func capabilities(_ server: ServerProfile) -> String {
    if server.refusesEnhancedWords {
      return "not supported: the server refuses connections that mention it"
    }
    guard let capabilities = server.capabilities else {
      return "not declared, although most servers that accept it do"
    }
    var words = [
      capabilities.takesVideo("hvc1") ? "accepts HEVC (hvc1)" : "does not list HEVC (hvc1)"
    ]
    let codecs = Set(capabilities.codecs).union(capabilities.video.keys).sorted()
    words.append("video " + (codecs.isEmpty ? "none" : codecs.joined(separator: " ")))
    let extras: [(Capabilities.Extras, String)] = [
      (.reconnect, "reconnect"), (.multitrack, "multitrack"), (.modEx, "ModEx"),
      (.nanoseconds, "nanoseconds"),
    ]
    let known = extras.filter { capabilities.extras.contains($0.0) }.map(\.1)
    if !known.isEmpty { words.append(known.joined(separator: ", ")) }
    return words.joined(separator: "; ")
  }

  private func name(of dialect: HEVCDialect) -> String {
    dialect == .enhanced ? "enhanced (hvc1)" : "legacy (codec id 12)"
  }

  private func verdict(_ trial: TrialReport, _ server: ServerProfile) -> String {
    switch trial.verdict {
    case .arrived: palette.paint("works", .green)
    case .changed: palette.paint("accepted, but modified by the server", .yellow)
    case .dropped: palette.paint("DROPPED: accepted without an error, but no pictures arrive", .red)
    case .unseen:
      palette.paint("accepted without an error; the result cannot be observed", .yellow)
    case .closed: palette.paint("the server closed the connection mid-stream", .red)
    case .refused: palette.paint("refused", .red)
    case .failed: palette.paint("not tested", .red)
    }
  }

  private func details(_ trial: TrialReport, _ server: ServerProfile) -> [String] {
    var lines: [String] = []
    let got = trial.arrivals
    if trial.pictures > 0 {
      lines.append("sent: \(trial.pictures) pictures, \(trial.sounds) audio frames")
    }
    if got.pictures + got.sounds > 0 {
      var words = "arrived: \(got.pictures) pictures"
      if !got.forms.isEmpty { words += " as " + got.forms.joined(separator: ", ") }
      if got.samePictures < got.pictures { words += ", \(got.samePictures) of them unchanged" }
      lines.append(words + ", \(got.sounds) audio frames")
    }
    if trial.verdict == .dropped, server.isNginx, trial.dialect == .enhanced {
      lines.append("nginx-rtmp drops all Enhanced RTMP video")
    }
    if let reason = trial.reason { lines.append(reason) }
    return lines
  }

  private func advice(_ report: ExaminationReport) -> String {
    if let dialect = report.recommended { return "publish with --dialect \(dialect.rawValue)" }
    let usable = report.trials.filter(\.isUsable)
    guard !usable.isEmpty else { return "HEVC works in neither dialect" }
    let names = usable.map { "--dialect \($0.dialect.rawValue)" }.joined(separator: " or ")
    return "\(names) may work; check the stream in a player"
  }
}
