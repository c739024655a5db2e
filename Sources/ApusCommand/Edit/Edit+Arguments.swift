// SPDX-License-Identifier: MIT

/// The options of `edit`.
extension Edit {
  mutating func arguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    try v.group(&inputs)
    try partArguments(&v)
    try pictureArguments(&v)
    try metadataArguments(&v)
    try boxArguments(&v)
    try v.option(
      "journal", "FILE", &journal, completion: .files, excludes: ["dry-run", "extract"],
      """
      log finished files to FILE, and skip those on the next run
      A file that an earlier run may have changed is not changed again with --in-place, and is reported
      """)
    try v.group(&output)
    try v.group(&limits)
  }

  /// Declares the options for what is removed or set.
  private mutating func partArguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    try v.option(
      "strip", "WHAT", &strip,
      """
      remove metadata, or what phones add to a photo
      Exif, xmp, iptc and thumbnail remove those; preview removes larger previews in Exif and after a JPEG; gps removes coordinates and names of places, also from movies; all keeps only the colour profile \
      and the orientation; motion removes the video of a motion photo, trailer all data after the pictures, c2pa Content Credentials
      """)
    try v.option(
      "set", "NAME=VALUE", &sets,
      """
      set a property of a photo, or PATH/FIELD of a box
      Properties are title, caption, creator, copyright, keywords=A,B, rating=0 to 5, \
      date=2024-01-31T12:00:00+01:00 (or +2h to shift it), zone=+01:00, gps=LATITUDE,LONGITUDE[,METRES]; \
      an empty text removes one
      """)
    try v.option(
      "remove", "WHAT", &removals,
      """
      remove a part of a photo, or the box at PATH
      Parts are thumbnail, preview, gain-map, depth, matte, auxiliary, motion, trailer and c2pa
      """)
  }

  /// Declares the options for the picture: its place in the file, what is shown of it, and what belongs to it.
  private mutating func pictureArguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    try v.option(
      "primary", "ID", &primary,
      excludes: [
        "set", "crop", "rotate", "flip", "gain-map", "add-thumbnail", "exif", "xmp", "copy-from",
      ],
      "make another item the primary picture of a HEIC")
    try v.option(
      "crop", "PART", &crop, excludes: ["add-thumbnail"],
      """
      show only WxH+X+Y of a HEIC, or the aspect ratio W:H
      The position is in the upright picture, before --rotate. The pixels outside stay in the file, which convert \
      --crop leaves out. A gain map or depth has to be removed in the same run
      """)
    try v.option(
      "gain-map", "FORM", &gainMap,
      """
      describe the gain map of a HEIC in several forms
      Both are the tmap item (ISO 21496-1) and Apple's auxiliary picture, as in convert. The coded map stays, so its \
      codes must follow Apple's curve
      """)
    try v.flag(
      "add-thumbnail", "N", &addThumbnail, bare: AddedThumbnail(),
      """
      add a thumbnail to a HEIC or JPEG without one
      N is its longer side; auto is 320 in a HEIC and 160 in a JPEG. The coded picture stays. With --remove thumbnail it \
      replaces an older one
      """)
    try v.option("rotate", "DEGREES", &rotate, "rotate a photo clockwise")
    try v.option("flip", "HOW", &flip, "flip a photo, after any rotation")
    try v.flag(
      "lossless", &lossless,
      """
      turn the picture of a JPEG itself, instead of its orientation tag
      Nothing is lost: its coefficients move, as in jpegtran. The turn includes the present orientation, and without --rotate and \
      --flip it is that alone. A JPEG with an edge that cannot move, or with other pictures such as a gain map, is refused
      """)
  }

  /// Declares the options for metadata from other files.
  private mutating func metadataArguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    try v.option(
      "copy-from", "FILE", &copyFrom, completion: .files,
      excludes: ["exif", "xmp", "add-thumbnail"],
      "replace Exif, XMP and IPTC by those of another photo")
    try v.option(
      "exif", "FILE", &exif, completion: .files, excludes: ["add-thumbnail"],
      "replace Exif by that in FILE, a TIFF stream")
    try v.option("xmp", "FILE", &xmp, completion: .files, "replace XMP by the packet in FILE")
    try v.option(
      "gpx", "FILE", &gpx, completion: .files,
      """
      set the location from a recorded track
      It is that of the photo's time, whose time zone must be known, between points of the track that are no more than \
      30 minutes apart
      """)
    try v.flag(
      "sidecars", &sidecars,
      """
      apply the XMP and Google Takeout files next to each photo
      Of photo.heic these are photo.heic.xmp or photo.xmp, and photo.heic.json or what Takeout makes of that name. \
      Takeout's time, location and caption are only set where the photo has none
      """)
  }

  /// Declares the options for boxes by their paths.
  private mutating func boxArguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    try v.option(
      "replace", "PATH=FILE", &replacements, completion: .files,
      "replace a box with the boxes in FILE")
    try v.option(
      "replace-body", "PATH=FILE", &bodies, completion: .files,
      "replace everything after a box's header with the bytes in FILE")
    try v.option(
      "insert", "PATH=FILE", &insertions, completion: .files,
      "insert the boxes in FILE at the end of a box; / is the file")
    try v.option(
      "insert-before", "PATH=FILE", &insertionsBefore, completion: .files,
      "insert the boxes in FILE before a box")
    try v.option(
      "insert-after", "PATH=FILE", &insertionsAfter, completion: .files,
      "insert the boxes in FILE after a box")
    try v.option(
      "extract", "PATH", &extraction, "write the bytes of a box, to -o or standard output")
  }
}
