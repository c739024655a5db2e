// SPDX-License-Identifier: MIT

import Bytes
import Facts
import Transcode

/// What `apus info --json` prints of one file.
struct InfoAnswer: Described {
  var file: String
  var overview: Overview
  /// This is `nil` where it was not asked for.
  var measures: Result<[PlaybackMeasure], any Error>?

  static let title = "apus info --json"

  static func describe<V: FactVisitor>(_ v: inout V) where V.Subject == InfoAnswer {
    v.required("file", "The path as it was given; - is standard input.") { $0.file }
    v.facts { $0.overview }
    v.optional("measured", "What decoding came to, track by track.") { answer in
      answer.measures.map { (try? $0.get()) ?? [] }
    }
    v.optional("unmeasured", "Why nothing was decoded.") { $0.reason }
    v.required("findings", "What is wrong with it.") { $0.overview.findings }
  }

  private var reason: String? {
    guard case .failure(let error) = measures else { return nil }
    return "\(error)"
  }
}
