// SPDX-License-Identifier: MIT

internal import FFmpeg
internal import Glibc
internal import Media

/// A second of two tones through an encoder of sound and a decoder.
enum SoundTrial {
  /// In Hz, of the left and of the right channel.
  private static let tones = [440.0, 660.0]
  private static let leastSimilarity = 12.0

  /// - Parameter format: how samples lie; `nil` for the encoder's favourite.
  static func settings(_ facts: CodecFacts, _ format: String? = nil) -> AudioEncoderSettings {
    let rates = facts.sampleRates
    let rate = rates.isEmpty || rates.contains(48000) ? 48000 : rates[rates.count - 1]
    var settings = AudioEncoderSettings(facts.id, sampleRate: rate, channelLayout: "stereo")
    settings.sampleFormat = format
    return settings
  }

  static func run(_ facts: CodecFacts, _ format: String?, decoder id: String? = nil)
    -> CodecVerification.Trial
  {
    var trial = CodecVerification.Trial(format ?? "any")
    do throws(CoderError) {
      let encoder = try AudioEncoder(settings(facts, format))
      let rate = encoder.settings.sampleRate
      let fitting = try AudioFilter(output: encoder.input)
      var packets: [EncodedPacket] = []
      func encode() throws(CoderError) {
        while let frame = try fitting.next() {
          try encoder.send(frame)
          while let packet = try encoder.next() { packets.append(packet) }
        }
      }
      for frame in try frames(rate) {
        try fitting.push(frame)
        try encode()
      }
      try fitting.finish()
      try encode()
      try encoder.finish()
      while let packet = try encoder.next() { packets.append(packet) }
      try judge(&trial, packets, encoder, id ?? facts.codec)
    } catch {
      trial.failures.append(error.description)
    }
    return trial
  }

  private static func judge(
    _ trial: inout CodecVerification.Trial, _ packets: [EncodedPacket], _ encoder: AudioEncoder,
    _ codec: String
  ) throws(CoderError) {
    let rate = encoder.settings.sampleRate
    var stream = CodedStream(
      codec, configuration: encoder.configuration, timescale: UInt32(clamping: rate))
    (stream.sampleRate, stream.channels) = (rate, tones.count)
    let decoder = try AudioDecoder(stream)
    trial.decoder = decoder.name
    var plain = AudioFilter.Output()
    plain.sampleFormat = "fltp"
    let filter = try AudioFilter(output: plain)
    var channels: [[Float]] = [[], []]
    func take() throws(CoderError) {
      while let frame = try decoder.next() {
        trial.observedSamples = frame.sampleFormat
        try filter.push(frame)
      }
      while let frame = try filter.next() {
        for channel in channels.indices {
          frame.withSamples(ofPlane: channel) { bytes in
            for index in 0..<frame.sampleCount {
              unsafe channels[channel].append(
                bytes.unsafeLoadUnaligned(fromByteOffset: index * 4, as: Float.self))
            }
          }
        }
      }
    }
    // FLAC ends with one that has no sound.
    for packet in packets where !packet.bytes.isEmpty {
      try unsafe decoder.send(
        packet.bytes.span.bytes,
        presentationTime: packet.presentationTime.rounded(to: UInt32(clamping: rate)) ?? 0)
      try take()
    }
    try decoder.finish()
    try take()
    try filter.finish()
    try take()
    if channels[0].count < rate {
      trial.failures.append("\(rate) samples went in, \(channels[0].count) came out")
    }
    let likeness = zip(channels, tones).map { similarity($0, $1 / Double(rate)) }
    trial.similarity = likeness.min()
    if likeness.contains(where: { $0 < leastSimilarity }) {
      trial.failures.append("the sound that comes back is another")
    }
  }

  /// What went in.
  private static func frames(_ rate: Int) throws(CoderError) -> [AudioFrame] {
    var bytes: [UInt8] = []
    for index in 0..<rate {
      for tone in tones {
        let value = Float(0.5 * sin(2 * .pi * tone * Double(index) / Double(rate)))
        for shift in [0, 8, 16, 24] as [UInt32] {
          bytes.append(UInt8(truncatingIfNeeded: value.bitPattern >> shift))
        }
      }
    }
    var stream = CodedStream("pcm_f32le", timescale: UInt32(clamping: rate))
    (stream.sampleRate, stream.channels) = (rate, tones.count)
    let decoder = try AudioDecoder(stream)
    try unsafe decoder.send(bytes.span.bytes, presentationTime: 0)
    var frames: [AudioFrame] = []
    while let frame = try decoder.next() { frames.append(frame) }
    return frames
  }

  /// A tone to all else, in dB, in the middle of the sound, whatever its phase.
  ///
  /// - Parameter frequency: in turns a sample.
  private static func similarity(_ samples: [Float], _ frequency: Double) -> Double {
    let middle = samples[samples.count / 4..<samples.count * 3 / 4]
    guard !middle.isEmpty else { return 0 }
    var (inPhase, across, energy) = (0.0, 0.0, 0.0)
    for (index, sample) in middle.enumerated() {
      let angle = 2 * Double.pi * frequency * Double(index)
      inPhase += Double(sample) * cos(angle)
      across += Double(sample) * sin(angle)
      energy += Double(sample) * Double(sample)
    }
    let tone = 2 * (inPhase * inPhase + across * across) / Double(middle.count)
    guard energy > 0 else { return 0 }
    return min(100, max(0, 10 * log10(max(tone, 1e-12) / max(energy - tone, energy * 1e-10))))
  }
}
