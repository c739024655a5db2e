// SPDX-License-Identifier: MIT

public import ApusFacts
public import ApusTranscode

extension PlaybackMeasure.Answer: FactValue {}

extension PlaybackMeasure: Described {
  public static let title = "measure"

  package static func describe<V: FactVisitor>(_ v: inout V) where V.Subject == PlaybackMeasure {
    v.required("track", "The track or picture.") { $0.track }
    v.optional("decoder", "The decoder.") { $0.decoder.isEmpty ? nil : $0.decoder }
    v.required("decodable", "Whether it can be decoded here.") { $0.isDecodable }
    v.optional("real_time", "Whether decoding keeps up with playing.") {
      $0.isPicture ? nil : $0.isRealTime
    }
    v.optional("played", "Seconds of media that were decoded.") { $0.isPicture ? nil : $0.played }
    v.required("took", "Seconds that decoding took.") { $0.took }
    v.optional("reason", "The reason for an answer other than yes.") {
      $0.reason.isEmpty ? nil : $0.reason
    }
  }
}
