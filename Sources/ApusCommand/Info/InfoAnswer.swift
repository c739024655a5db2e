// SPDX-License-Identifier: MIT

import ApusBytes
import ApusFacts
import ApusTranscode

/// The output of `apus info --json` for one file.
struct InfoAnswer: Described {
  var file: String
  var overview: Overview
  /// This is `nil` without `--measure`.
  var measures: Result<[PlaybackMeasure], any Error>?

  static let title = "apus info --json"

  static func describe<V: FactVisitor>(_ v: inout V) where V.Subject == InfoAnswer {
    v.required("file", "The path as given; - is standard input.") { $0.file }
    v.facts { $0.overview }
    v.optional("measured", "The results of decoding, one for each track.") { answer in
      answer.measures.map { (try? $0.get()) ?? [] }
    }
    v.optional("unmeasured", "The reason why nothing was decoded.") { $0.reason }
    v.required("findings", "Errors, warnings and notes.") { $0.overview.findings }
  }

  private var reason: String? {
    guard case .failure(let error) = measures else { return nil }
    return "\(error)"
  }
}
