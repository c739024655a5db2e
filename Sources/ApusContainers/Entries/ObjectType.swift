// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ISOBMFF

/// The number by which `esds` names a codec: ISO/IEC 14496-1, 7.2.6.6.2, and the registry of the MP4 Registration
/// Authority.
struct ObjectType: Hashable, Sendable {
  let number: UInt8

  init(_ number: UInt8) { self.number = number }

  /// Creates the number for pictures; `nil` for those that have none, or a sample entry that says more.
  ///
  /// - Parameter first: the beginning of the first picture.
  init?(ofPictures code: FourCC, first: [UInt8]) {
    switch code {
    case "m1v ": number = 0x6a
    case "m2v1": number = Self.mpeg2(first)
    case "jpeg": number = 0x6c
    default: return nil
    }
  }

  /// Creates the number for MPEG audio of layer II or III.
  init(_ frame: MPEGAudioHeader) { number = frame.isMPEG1 ? 0x6b : 0x69 }

  /// Creates the number for DTS: with the core alone, with extensions, or lossless without a core (ETSI TS 102 114,
  /// 5.3.1 and 7.4.1).
  init(ofDTS frame: [UInt8]) {
    let (core, more): ([UInt8], [UInt8]) = ([0x7f, 0xfe, 0x80, 0x01], [0x64, 0x58, 0x20, 0x25])
    number =
      frame.starts(with: more)
      ? 0xab : frame.starts(with: core) && frame.contains(more) ? 0xaa : 0xa9
  }

  /// The code of the codec; `nil` where the sample entry stays its name.
  ///
  /// - Parameter first: the beginning of the first sample.
  func code(first: [UInt8]) -> FourCC? {
    switch number {
    case 0x60...0x65: "m2v1"
    case 0x69, 0x6b: (try? MPEGAudioHeader(first))?.isLayer2 == true ? ".mp2" : ".mp3"
    case 0x6a: "m1v "
    case 0x6c: "jpeg"
    case 0xa5: "ac-3"
    case 0xa6: "ec-3"
    case 0xa9...0xac: "dtsc"
    default: nil
    }
  }

  /// Returns `esds` with a decoder configuration of this kind: ISO/IEC 14496-1, 7.2.6.
  func description(_ kind: Stream, _ specific: [UInt8] = []) -> Node {
    var decoder = DecoderConfigDescriptor()
    decoder.objectTypeIndication = number
    decoder.streamType = kind.rawValue
    if !specific.isEmpty { decoder.descriptors = [Descriptor(5, .bytes(specific))] }
    var stream = ElementaryStreamDescriptor()
    stream.descriptors = [Descriptor(4, .decoder(decoder)), Descriptor(6, .bytes([2]))]
    var box = ElementaryStreamDescription()
    box.descriptor = Descriptor(3, .elementaryStream(stream))
    return Node("esds", box)
  }

  enum Stream: UInt8 {
    case pictures = 4
    case sound = 5
  }

  /// Returns the number for a profile of MPEG-2 video, from its sequence extension: ISO/IEC 13818-2, 6.2.2.3 and 8.1.
  private static func mpeg2(_ first: [UInt8]) -> UInt8 {
    let place = first.indices.dropLast(5).first { index in
      first[index...].starts(with: [0, 0, 1, 0xb5]) && first[index + 4] >> 4 == 1
    }
    guard let place else { return 0x61 }
    let profile = first[place + 4] << 4 | first[place + 5] >> 4
    guard profile & 0x80 == 0 else { return 0x65 }
    // Simple, main, SNR scalable, spatially scalable, high.
    return [5: 0x60, 4: 0x61, 3: 0x62, 2: 0x63, 1: 0x64][profile & 7] ?? 0x61
  }
}

extension Descriptor {
  fileprivate init(_ tag: UInt8, _ content: Content) {
    self.init()
    self.tag = tag
    self.content = content
  }
}
