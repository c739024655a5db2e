// SPDX-License-Identifier: MIT

import FLV
import Live
import RTMP

/// The results for a server as one object.
struct DoctorJSON {
  typealias Writer<Output: TextOutputStream> = JSONWriter<Output>

  func write<Output: TextOutputStream>(
    _ report: ExaminationReport, of address: Address, to json: inout Writer<Output>
  ) {
    json.object { json in
      json.field("address", "\(address)")
      json.key("server")
      if let server = report.server { write(server, to: &json) } else { json.null() }
      json.key("trials")
      json.array { json in
        for trial in report.trials { write(trial, to: &json) }
      }
      text("recommended", report.recommended?.rawValue, &json)
    }
    json.endDocument()
  }

  private func write<Output: TextOutputStream>(
    _ server: ServerProfile, to json: inout Writer<Output>
  ) {
    json.object { json in
      json.field("peer", server.peer)
      text("program", server.program, &json)
      list("software", server.software, &json)
      json.key("version_bytes")
      json.array { json in
        for byte in server.versionBytes { json.value(byte) }
      }
      json.key("signs_handshake")
      if let signs = server.signsHandshake { json.truth(signs) } else { json.null() }
      json.field("refuses_enhanced_words", server.refusesEnhancedWords)
      json.key("capabilities")
      if let capabilities = server.capabilities {
        write(capabilities, to: &json)
      } else {
        json.null()
      }
    }
  }

  private func write<Output: TextOutputStream>(
    _ capabilities: Capabilities, to json: inout Writer<Output>
  ) {
    json.object { json in
      json.field("takes_hevc", capabilities.takesVideo("hvc1"))
      list("fourCcList", capabilities.codecs, &json)
      codecs("videoFourCcInfoMap", capabilities.video, &json)
      codecs("audioFourCcInfoMap", capabilities.audio, &json)
      json.field("capsEx", capabilities.extras.rawValue)
      json.field("videoFunction", capabilities.videoFunction.rawValue)
    }
  }

  private func write<Output: TextOutputStream>(
    _ trial: TrialReport, to json: inout Writer<Output>
  ) {
    json.object { json in
      json.field("dialect", trial.dialect.rawValue)
      json.field("verdict", trial.verdict.rawValue)
      json.key("sent")
      json.object { json in
        json.field("pictures", trial.pictures)
        json.field("sounds", trial.sounds)
      }
      json.key("arrived")
      json.object { json in
        json.field("pictures", trial.arrivals.pictures)
        json.field("same_pictures", trial.arrivals.samePictures)
        json.field("sounds", trial.arrivals.sounds)
        list("forms", trial.arrivals.forms, &json)
      }
      text("reason", trial.reason, &json)
    }
  }

  private func text<Output: TextOutputStream>(
    _ name: String, _ value: String?, _ json: inout Writer<Output>
  ) {
    json.key(name)
    if let value { json.value(value) } else { json.null() }
  }

  private func list<Output: TextOutputStream>(
    _ name: String, _ values: [String], _ json: inout Writer<Output>
  ) {
    json.key(name)
    json.array { json in
      for value in values { json.value(value) }
    }
  }

  private func codecs<Output: TextOutputStream>(
    _ name: String, _ values: [String: Capabilities.Codec], _ json: inout Writer<Output>
  ) {
    json.key(name)
    json.object { json in
      for (code, can) in values.sorted(by: { $0.key < $1.key }) {
        json.field(code, can.rawValue)
      }
    }
  }
}
