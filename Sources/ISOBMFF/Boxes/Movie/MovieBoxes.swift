// SPDX-License-Identifier: MIT

/// Boxes of a movie, its tracks and their media.
enum MovieBoxes {
  static let all: [any Box.Type] = [
    BaseMediaInfo.self,
    BaseMediaInformation.self,
    ColorTable.self,
    Container.self,
    DataEntryIMDA.self,
    DataEntryURL.self,
    DataEntryURN.self,
    DataReferences.self,
    EditList.self,
    EmptyMediaHeader.self,
    ExtendedLanguage.self,
    HandlerReference.self,
    HintMediaHeader.self,
    MacintoshAlias.self,
    MediaHeader.self,
    MovieHeader.self,
    Profile.self,
    SoundMediaHeader.self,
    TimecodeMediaInformation.self,
    TrackApertureDimensions.self,
    TrackGroups.self,
    TrackHeader.self,
    TrackLoadSettings.self,
    TrackReferences.self,
    VideoMediaHeader.self,
  ]
}
