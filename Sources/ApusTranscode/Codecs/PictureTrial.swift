// SPDX-License-Identifier: MIT

internal import ApusFFmpeg
internal import ApusMedia

/// Sends a few pictures through an encoder and a decoder of another library.
enum PictureTrial {
  private static let count = 5
  /// The lowest acceptable similarity in dB: even poor encoders exceed it; noise and wrong samples are far below.
  private static let leastSimilarity = 28.0

  /// - Parameters:
  ///   - size: the size of the pictures; `nil` for whatever the encoder accepts.
  ///   - decoder: the name of the decoder; `nil` for the one that libavcodec prefers.
  static func run(
    _ facts: CodecFacts, _ samples: CodecFacts.Samples, profile: String? = nil,
    size: (width: Int, height: Int)? = nil, decoder id: String? = nil
  ) -> CodecVerification.Trial {
    var trial = CodecVerification.Trial(samples.name, profile: profile)
    let isStill = id == De265Trial.id || profile?.hasSuffix("stillpicture") == true
    let count = isStill ? 1 : count
    do throws(MediaError) {
      let encoder = try TrialEncoder.opened(facts, samples, profile: profile, size: size)
      trial.observedProfile = encoder.profile
      var pictures = try TrialPictures(encoder.format, samples)
      var packets: [TrialEncoder.Packet] = []
      for index in 0..<count { packets += try encoder.encode(try pictures.frame(index)) }
      packets += try encoder.finish()
      var comparison = PatternComparison()
      if id == De265Trial.id, let first = packets.first {
        trial.decoder = try De265Trial.decode(
          first, encoder.stream.configuration, into: &comparison)
      } else {
        trial.decoder = try decode(packets, encoder.stream, by: id, into: &comparison)
      }
      trial.hasRightChecksums = encoder.hasChecksums
      trial.similarity = comparison.similarity
      if let chroma = encoder.chroma, !comparison.isConverted { comparison.chroma = chroma }
      let least = min(leastSimilarity, pictures.likeness.similarity.map { $0 - 3 } ?? .infinity)
      judge(&trial, comparison, samples, encoder.format, count, least: least)
      let isIntra = packets.allSatisfy(\.isKey)
      if let profile, let failure = CodedProfile.failure(profile, encoder.profile, isIntra: isIntra)
      {
        trial.failures.append(failure)
      }
    } catch {
      trial.failures.append(error.description)
    }
    return trial
  }

  /// - Returns: the decoder's name.
  private static func decode(
    _ packets: [TrialEncoder.Packet], _ stream: CodedStream, by id: String?,
    into comparison: inout PatternComparison
  ) throws(MediaError) -> String {
    var stream = stream
    if let id { stream.codec = id }
    let decoder = try VideoDecoder(stream)
    for packet in packets where !packet.bytes.isEmpty {
      try unsafe decoder.send(
        packet.bytes.span.bytes, decodeTime: packet.decodeTime,
        presentationTime: packet.presentationTime, isKey: packet.isKey)
      while let frame = try decoder.next() { comparison.add(frame) }
    }
    try decoder.finish()
    while let frame = try decoder.next() { comparison.add(frame) }
    return decoder.name
  }

  private static func judge(
    _ trial: inout CodecVerification.Trial, _ comparison: PatternComparison,
    _ samples: CodecFacts.Samples, _ wanted: PictureFormat, _ count: Int, least: Double
  ) {
    trial.observedSamples = comparison.pixelFormat
    guard let format = comparison.format else {
      trial.failures.append(
        comparison.count == 0
          ? "nothing comes out of the decoder" : "comes back as \(comparison.pixelFormat)")
      return
    }
    // More bits are no loss: decoders do not have a format for each number of bits.
    if !comparison.isConverted, samples.isPlanes, format.bitDepth < samples.bitDepth {
      trial.failures.append("\(samples.bitDepth) bits come back as \(format.bitDepth)")
    }
    if samples.isPlanes, let coded = comparison.chroma, let claimed = samples.chroma,
      coded != claimed
    {
      trial.failures.append("\(claimed.name) comes back as \(coded.name)")
    }
    if comparison.count != count {
      trial.failures.append("\(count) pictures went in, \(comparison.count) came out")
    }
    if (format.width, format.height) != (wanted.width, wanted.height) {
      trial.failures.append(
        "\(wanted.width)x\(wanted.height) comes back as \(format.width)x\(format.height)")
    }
    if let similarity = comparison.similarity, similarity < least {
      trial.failures.append("the pictures that come back are others")
    }
  }
}
