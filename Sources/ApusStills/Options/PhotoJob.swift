// SPDX-License-Identifier: MIT

/// The job to do for a file.
public enum PhotoJob: Hashable, Sendable {
  /// Converts the primary picture.
  case primary
  /// Converts all pictures except alternatives.
  case all
  /// Converts every picture item, including alternatives; each goes to the output `PictureRole.other` with its position
  /// in `PhotoListing.pictures`, counted from 1.
  case everyItem
  /// Converts a frame of an image sequence, by its index from 0.
  case frame(Int)
  /// Converts one item, by its ID.
  case item(UInt32)
  /// Makes a thumbnail.
  case thumbnail(ThumbnailPolicy)
  /// Extracts parts other than the primary picture.
  case parts(PartChoice)

  package var thumbnail: ThumbnailPolicy? {
    if case .thumbnail(let policy) = self { policy } else { nil }
  }

  package var parts: PartChoice? { if case .parts(let choice) = self { choice } else { nil } }

  package var frame: Int? { if case .frame(let frame) = self { frame } else { nil } }

  /// Whether it makes one picture, whose output is `PictureRole.primary`.
  package var makesOnePicture: Bool { self != .all && self != .everyItem && parts == nil }
}
