// SPDX-License-Identifier: MIT

/// Boxes of the type `uuid` with a known user type.
enum UserTypeBoxes {
  static let all: [any Box.Type] = [
    PIFFTrackEncryption.self, PIFFSampleEncryption.self, PIFFProtectionHeader.self,
    SmoothFragmentTime.self, SmoothFragmentReferences.self,
    XMPPacket.self, SphericalVideoXML.self, ContentProvenance.self,
    CanonMetadata.self, CanonPreview.self,
    CanonVersion.self, CanonParts.self, CanonOffsets.self, CanonDirectory.self,
    CanonThumbnail.self, CanonPreviewPicture.self,
  ]
}
