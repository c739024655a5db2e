// SPDX-License-Identifier: MIT

/// Boxes with the positions and times of samples.
enum SampleTableBoxes {
  static let all: [any Box.Type] = [
    ChunkOffsets.self,
    CompactSampleSizes.self,
    CompactSampleToGroup.self,
    CompositionTimeToSample.self,
    CompositionToDecode.self,
    DecodingTimeToSample.self,
    DegradationPriorities.self,
    LargeChunkOffsets.self,
    PaddingBits.self,
    SampleAuxiliaryOffsets.self,
    SampleAuxiliarySizes.self,
    SampleDependencies.self,
    SampleGroupDescription.self,
    SampleSizes.self,
    SampleToChunk.self,
    SampleToGroup.self,
    ShadowSyncSamples.self,
    SubsampleInformation.self,
    SyncSamples.self,
  ]
}
