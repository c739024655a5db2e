// SPDX-License-Identifier: MIT

/// User data and metadata, ISO and QuickTime.
enum MetadataBoxes {
  static let all: [any Box.Type] = [
    AlbumTitle.self,
    ChapterList.self,
    Classification.self,
    Copyright.self,
    ID3Tag.self,
    Keywords.self,
    LocationInformation.self,
    Metadata.self,
    MetadataBinaryXML.self,
    MetadataHeader.self,
    MetadataItem.self,
    MetadataItemInformation.self,
    MetadataItemList.self,
    MetadataItemName.self,
    MetadataKeys.self,
    MetadataLocales.self,
    MetadataRelation.self,
    MetadataValue.self,
    MetadataXML.self,
    Rating.self,
    RecordingYear.self,
    SubTrackInformation.self,
    TrackKind.self,
    TrackSelectionBox.self,
    UserData.self, MediaLabel.self,
  ]
}
