// SPDX-License-Identifier: MIT

public import ApusFacts
public import ApusLive
public import FLV
public import RTMP

/// The output of `apus doctor --json`.
struct DoctorReport: Described {
  let address: Address
  let report: ExaminationReport

  static let title = "doctor"

  static func describe<V: FactVisitor>(_ v: inout V) where V.Subject == DoctorReport {
    v.required("address", "The address without key and password.") { "\($0.address)" }
    v.required("server", "The server; null if it did not answer.") { $0.report.server }
    v.required(
      "trials",
      "The enhanced dialect first; the second is missing if the server did not answer the first."
    ) { $0.report.trials }
    v.required("recommended", "The dialect to use; null if neither is known to work.") {
      $0.report.recommended
    }
  }
}

extension HEVCDialect: FactValue {}
extension TrialReport.Verdict: FactValue {}

extension ServerProfile: Described {
  public static let title = "server"

  package static func describe<V: FactVisitor>(_ v: inout V) where V.Subject == ServerProfile {
    v.required("peer", "The address and port to which the connection was made.") { $0.peer }
    v.required("program", "The program known to have these version bytes.") { $0.program }
    v.required("software", "The names in its answer to connect.") { $0.software }
    v.required("version_bytes", "The version in the server's half of the handshake.") {
      $0.versionBytes
    }
    v.required("signs_handshake", "Whether it signs for clients that do; null if unknown.") {
      $0.signsHandshake
    }
    v.required(
      "refuses_enhanced_words",
      "Whether the connection needed a second attempt without the properties of Enhanced RTMP."
    ) { $0.refusesEnhancedWords }
    v.required("capabilities", "Null if it does not mention Enhanced RTMP.") { $0.capabilities }
  }
}

extension Capabilities: Described {
  public static let title = "capabilities"

  package static func describe<V: FactVisitor>(_ v: inout V) where V.Subject == Capabilities {
    v.required("takes_hevc", "Whether hvc1 is named, by itself or with all others.") {
      $0.takesVideo("hvc1")
    }
    v.required("fourCcList", "The codecs of the first version of Enhanced RTMP.") { $0.codecs }
    let map = "By four-character code, * for every codec: the sum of 1 decode, 2 encode, 4 forward."
    v.required("videoFourCcInfoMap", map) { Self.counts($0.video) }
    v.required("audioFourCcInfoMap", map) { Self.counts($0.audio) }
    v.required("capsEx", "The sum of 1 reconnect, 2 multitrack, 4 ModEx, 8 nanoseconds.") {
      $0.extras.rawValue
    }
    v.required("videoFunction", "The sum of 1 seek, 2 HDR, 4 metadata, 8 large-scale tiles.") {
      $0.videoFunction.rawValue
    }
  }

  private static func counts(_ codecs: [String: Codec]) -> FactCounts {
    FactCounts(codecs.sorted { $0.key < $1.key }.map { ($0.key, Int($0.value.rawValue)) })
  }
}

extension TrialReport: Described {
  public static let title = "trial"

  package static func describe<V: FactVisitor>(_ v: inout V) where V.Subject == TrialReport {
    v.required("dialect", "The dialect.") { $0.dialect }
    v.required(
      "verdict",
      """
      dropped: accepted without an error, but players get only audio. unseen: accepted without an error, but \
      players get nothing. closed: closed mid-stream. failed: not tested.
      """
    ) { $0.verdict }
    v.required("sent", "The published frames.") { Sent(trial: $0) }
    v.required("arrived", "The frames that players got.") { $0.arrivals }
    v.required("reason", "The reason for the verdict.") { $0.reason }
  }

  struct Sent: Described {
    let trial: TrialReport

    static let title = "sent"

    static func describe<V: FactVisitor>(_ v: inout V) where V.Subject == Sent {
      v.required("pictures", "The number of pictures.") { $0.trial.pictures }
      v.required("sounds", "The number of audio frames.") { $0.trial.sounds }
    }
  }
}

extension Arrivals: Described {
  public static let title = "arrivals"

  package static func describe<V: FactVisitor>(_ v: inout V) where V.Subject == Arrivals {
    v.required("pictures", "The number of pictures that arrived.") { $0.pictures }
    v.required("same_pictures", "The number of pictures that arrived unchanged.") {
      $0.samePictures
    }
    v.required("sounds", "The number of audio frames that arrived.") { $0.sounds }
    v.required("forms", "The forms in which pictures arrived.") { $0.forms }
  }
}
