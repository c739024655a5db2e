// SPDX-License-Identifier: MIT

internal import AVC

/// Decoder configurations.
enum CodecBoxes {
  static let all: [any Box.Type] = [
    HEVCConfiguration.self, LayeredHEVCConfiguration.self, AVCConfiguration.self,
    AV1Configuration.self, VPConfiguration.self, VVCConfiguration.self, APVConfiguration.self,
    DolbyVisionConfiguration.self, H263Specific.self,
    ElementaryStreamDescription.self, ObjectDescription.self,
    OpusSpecific.self, FLACSpecific.self, ALACSpecific.self, AMRSpecific.self,
    AC3Specific.self, EC3Specific.self, AC4Specific.self, PCMConfiguration.self,
    MPEGHConfiguration.self, TrueHDSpecific.self, ImmersiveAudioConfiguration.self,
  ]
}
