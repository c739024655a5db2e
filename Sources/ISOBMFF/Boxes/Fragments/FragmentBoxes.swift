// SPDX-License-Identifier: MIT

/// Boxes of movie fragments and segments.
enum FragmentBoxes {
  static let all: [any Box.Type] = [
    EventMessage.self,
    FragmentRandomAccessOffset.self,
    LevelAssignment.self,
    MovieExtendsHeader.self,
    MovieFragmentHeader.self,
    ProducerReferenceTime.self,
    SampleEncryption.self,
    SegmentIndex.self,
    SubsegmentIndex.self,
    TrackExtends.self,
    TrackExtensionProperties.self,
    TrackFragmentDecodeTime.self,
    TrackFragmentHeader.self,
    TrackFragmentRandomAccess.self,
    TrackRun.self,
  ]
}
