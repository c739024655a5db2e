// SPDX-License-Identifier: MIT

internal import ApusFFmpeg
internal import ApusMedia
internal import Glibc

/// Sends a second of two tones through an encoder of sound and a decoder: every sample that goes in has to come out.
enum SoundTrial {
  /// The tones of the left and of the right channel, in Hz.
  private static let tones = [440.0, 660.0]

  /// - Parameter format: the layout of samples; `nil` for the one that the encoder prefers.
  static func encoder(_ facts: CodecFacts, _ format: String? = nil) throws(MediaError)
    -> AudioEncoder
  {
    var settings = AudioEncoderSettings(facts.id, sampleRate: 48000, channelLayout: "stereo")
    settings.sampleFormat = format
    return try AudioEncoder(settings)
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
    var count = 0
    func drain() throws(MediaError) {
      while let frame = try decoder.next() {
        trial.observedSamples = frame.sampleFormat
        count += frame.sampleCount
      }
    }
    for packet in packets {
      try unsafe decoder.send(
        packet.bytes.span.bytes,
        presentationTime: packet.presentationTime.rounded(to: UInt32(clamping: rate)) ?? 0)
      try drain()
    }
    try decoder.finish()
    try drain()
    if count < rate { trial.failures.append("\(rate) samples went in, \(count) came out") }
  }

  /// Returns the input of the encoder.
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
}
