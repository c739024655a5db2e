// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusSamples
internal import ISOBMFF

extension CodedTrack {
  /// Sets the sample rate and the number of channels from the configuration (Opus, FLAC) or from the first frame (other
  /// codecs). They stay unknown where neither can be read.
  mutating func describeSound(_ code: FourCC, _ configuration: [UInt8], first frame: Extent) {
    do {
      switch code {
      case "Opus":
        // RFC 7845, 5.1: decoders give 48 kHz, whatever the input had.
        (sampleRate, channels) = (
          48000, Int(try OpusSpecific(header: configuration).outputChannelCount)
        )
      case "fLaC":
        let (_, information) = try FLACStreamInformation.read(configuration)
        (sampleRate, channels) = (Int(information.sampleRate), Int(information.channelsMinus1) + 1)
      case "ac-3", "ec-3":
        let read = try DolbyFrame.read(try frame.bytes(), as: code)
        (sampleRate, channels) = (read.sampleRate, read.channels)
      case ".mp3":
        let header = try MPEGAudioHeader(try frame.prefix(4).bytes())
        (sampleRate, channels) = (header.sampleRate, header.channels)
      default: break
      }
    } catch {
      return
    }
  }
}
