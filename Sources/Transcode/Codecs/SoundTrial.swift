// SPDX-License-Identifier: MIT

internal import FFmpeg
internal import Glibc
internal import Media

/// A second of two tones through an encoder of sound and a decoder.
enum SoundTrial {
  /// The tones of the left and of the right channel, in Hz.
  private static let tones = [440.0, 660.0]
  /// What codecs of speech make of tones at the worst; noise and wrong samples are far below 0.
  private static let leastSimilarity = 6.0

  /// Opens an encoder at the first rate and for the first speakers that it takes.
  ///
  /// - Parameter format: how samples lie; `nil` for the encoder's favourite.
  static func encoder(_ facts: CodecFacts, _ format: String? = nil) throws(MediaError)
    -> AudioEncoder
  {
    let usual = [48000, 44100, 22050, 16000, 8000]
    let rates = facts.sampleRates
    let named = usual.filter { rates.contains($0) } + rates.filter { !usual.contains($0) }
    let layouts = ["stereo", "mono"].filter {
      facts.channelLayouts.isEmpty || facts.channelLayouts.contains($0)
    }
    var refusal: MediaError?
    for layout in layouts.isEmpty ? facts.channelLayouts : layouts {
      for rate in rates.isEmpty ? usual : named {
        var settings = AudioEncoderSettings(facts.id, sampleRate: rate, channelLayout: layout)
        settings.sampleFormat = format
        do throws(MediaError) {
          return try AudioEncoder(settings)
        } catch {
          refusal = refusal ?? error
        }
      }
    }
    throw refusal ?? MediaError(.misuse, "there is no sound to try \(facts.id) with")
  }

  static func run(_ facts: CodecFacts, _ format: String?, decoder id: String? = nil)
    -> CodecVerification.Trial
  {
    var trial = CodecVerification.Trial(format ?? "any")
    do throws(MediaError) {
      let encoder = try encoder(facts, format)
      let rate = encoder.settings.sampleRate
      let fitting = try AudioFilter(output: encoder.input)
      var packets: [EncodedPacket] = []
      func encode() throws(MediaError) {
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
  ) throws(MediaError) {
    let rate = encoder.settings.sampleRate
    let decoder = try AudioDecoder(encoder.stream(codec))
    trial.decoder = decoder.name
    var plain = AudioFilter.Output()
    plain.sampleFormat = "fltp"
    plain.channelLayout = "stereo"
    plain.sampleRate = rate
    let filter = try AudioFilter(output: plain)
    var channels: [[Float]] = [[], []]
    func drain() throws(MediaError) {
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
      try drain()
    }
    try decoder.finish()
    try drain()
    try filter.finish()
    try drain()
    if channels[0].count < rate {
      trial.failures.append("\(rate) samples went in, \(channels[0].count) came out")
    }
    // Where sound has one channel, or codecs join two, both tones are in both.
    let turns = tones.map { $0 / Double(rate) }
    let likeness = channels.map { similarity($0, turns) }
    trial.similarity = likeness.min()
    if likeness.contains(where: { $0 < leastSimilarity }) {
      trial.failures.append("the sound that comes back is another")
    }
  }

  /// What went in.
  private static func frames(_ rate: Int) throws(MediaError) -> [AudioFrame] {
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

  /// Tones to all else, in dB, in the middle of the sound, whatever their phases.
  ///
  /// - Parameter frequencies: in turns a sample.
  private static func similarity(_ samples: [Float], _ frequencies: [Double]) -> Double {
    let middle = samples[samples.count / 4..<samples.count * 3 / 4]
    guard !middle.isEmpty else { return 0 }
    let energy = middle.reduce(0.0) { $0 + Double($1) * Double($1) }
    var tones = 0.0
    for frequency in frequencies {
      var (inPhase, across) = (0.0, 0.0)
      for (index, sample) in middle.enumerated() {
        let angle = 2 * Double.pi * frequency * Double(index)
        inPhase += Double(sample) * cos(angle)
        across += Double(sample) * sin(angle)
      }
      tones += 2 * (inPhase * inPhase + across * across) / Double(middle.count)
    }
    guard energy > 0 else { return 0 }
    return min(100, max(0, 10 * log10(max(tones, 1e-12) / max(energy - tones, energy * 1e-10))))
  }
}
