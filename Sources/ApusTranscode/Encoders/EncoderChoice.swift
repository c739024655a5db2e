// SPDX-License-Identifier: MIT

internal import ApusFFmpeg
package import ApusMedia

/// The encoders of this machine that may be used for pictures, best first.
package struct EncoderChoice: Sendable {
  private let catalogue: CodecCatalogue
  /// Those of one codec, the first for which there are any: hardware is no reason to use another.
  private let codecs: [CodecFacts]

  private static let software: Set<String> = ["libx265", "libx264"]

  package init(_ video: VideoSettings) {
    var query = CodecQuery()
    query.codecs = video.codecs.filter { $0 != .copy }.map(\.rawValue)
    query.ids = Self.software
    if (video.required ?? video.preferred) == .hardware {
      query.ids.formUnion(DeviceWords.encoders)
      (query.required, query.preferred) = (video.required, video.preferred)
    } else {
      // It will be opened soon with its actual settings: an error in those is no reason to use another encoder.
      query.isTried = false
    }
    let catalogue = CodecCatalogue(query)
    self.catalogue = catalogue
    let codec = query.codecs.first { codec in catalogue.codecs.contains { $0.codec == codec } }
    codecs = catalogue.codecs.filter { $0.codec == codec }
  }

  /// The name of the codec; `nil` if there is no encoder.
  var codec: String? { codecs.first?.codec }

  /// Returns the bits per sample that the encoder supports.
  func bitDepths() throws(MediaError) -> [Int] {
    try check()
    guard let facts = codecs.first else { return [] }
    // A device does not list them.
    return facts.isHardware ? [8, 10] : facts.bitDepths
  }

  /// Throws if there is no encoder, with the reasons.
  package func check() throws(MediaError) { _ = try catalogue.first() }

  /// The reason why no encoder in hardware is used although it is preferred; `nil` if one is, or none is preferred.
  package var fallback: String? {
    guard catalogue.query.preferred == .hardware, !codecs.contains(where: \.isHardware) else {
      return nil
    }
    return
      "is encoded in software, because no encoder in hardware works here (apus codecs lists the reasons)"
  }

  /// Opens the best encoder. One in hardware that does not take such pictures or settings is passed over unless
  /// hardware is required.
  ///
  /// - Returns: the encoder, and the reasons why none in hardware is used although it is preferred.
  func open(_ request: CodingRequest) throws(MediaError) -> (
    encoder: any PictureCoding, fallback: String?
  ) {
    var refused: [String] = []
    for facts in codecs {
      guard facts.isHardware else {
        let coding: any PictureCoding =
          facts.codec == "h264" ? try X264Coding(request) : try X265Coding(request)
        let others = refused.joined(separator: "; ")
        return (coding, refused.isEmpty ? fallback : "is encoded in software: \(others)")
      }
      do throws(MediaError) {
        return (try DeviceCoding(request, facts), nil)
      } catch {
        refused.append("\(facts.id): \(error.message)")
      }
    }
    try check()
    throw MediaError(.missing, refused.joined(separator: "; "))
  }
}

extension TranscodeSettings {
  /// Throws if this machine has no encoder that the settings require.
  package func checkEncoders() throws(MediaError) {
    guard video.codecs.first != .copy else { return }
    for rung in ladder?.rungs ?? [] { try EncoderChoice(rung.settings(over: video)).check() }
    if ladder == nil { try EncoderChoice(video).check() }
  }
}
