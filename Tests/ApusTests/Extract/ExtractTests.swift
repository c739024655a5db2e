// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@testable import ApusCommand

/// What `apus extract` and `apus thumbnail` do to files.
struct ExtractTests {
  @Test(arguments: [
    (
      "apus extract \"$F\"portrait.heic --role matte --role depth -o .", 0, "",
      [
        "portrait.depth.json", "portrait.depth.png", "portrait.matte-hair.png",
        "portrait.matte-portrait.png",
      ]
    ),
    (
      "cp \"$F\"pair.heic .; apus extract pair.heic --role picture", 0, "",
      ["pair.heic", "pair.right.jpg"]
    ),
    ("apus extract \"$F\"pair.heic --role picture --format png -o out.png", 0, "", ["out.png"]),
    (
      "apus extract \"$F\"portrait.heic --role matte -o one.png", 1,
      "holds 2 of the requested parts, but the output can hold only one", []
    ),
    ("apus extract \"$F\"photo.heic --role depth -o .", 3, "photo.heic: holds no depth", []),
    ("apus extract \"$F\"photo.heic", 2, "say what to extract", []),
    ("apus extract \"$F\"photo.heic --item 99 -o .", 1, "item 99 is not in the file", []),
    (
      "apus extract \"$F\"hvc1.mp4 --track 9 -o .", 1, "track 9 is not in the file, which has 1, 2",
      []
    ),
    ("apus extract \"$F\"hvc1.mp4 --track 1 --role exif", 2, "choose one", []),
    ("apus extract \"$F\"photo.heic --role exif -o - | head -c 2", 0, "MM", []),
    (
      "apus extract \"$F\"depth.heic --role depth --depth-as depth -o d.png; cat d.json", 0,
      "{\"form\":\"depth\",\"unit\":\"m\"", ["d.json", "d.png"]
    ),
    ("apus extract -r \"$F\"misnamed --list", 1, "jpeg.heic\n", []),
    (
      "apus extract --list \"$F\"portrait.heic", 0,
      "matte matte-hair        item 5, hvc1, 52 × 36, 277 bytes", []
    ),
    ("apus thumbnail \"$F\"portrait.heic -o .", 0, "1 made in", ["portrait.jpg"]),
    (
      "cp \"$F\"photo.heic .; apus thumbnail photo.heic -s 64", 0, "1 made in",
      ["photo.heic", "photo.thumbnail.jpg"]
    ),
    (
      "apus thumbnail \"$F\"photo.heic --policy embedded -o .", 1, "has no embedded thumbnail",
      []
    ),
    (
      "apus thumbnail \"$F\"photo.heic -s 0", 2,
      "-s is \"0\", expected a whole number", []
    ),
    (
      "apus thumbnail \"$F\"420.jpg \"$F\"photo.heic --dry-run -o out/", 0,
      "420.jpg → out/420.jpg\n", []
    ),
    ("apus thumbnail \"$F\"photo.heic -o - -s 32 | head -c 3 | od -An -tx1", 0, " ff d8 ff", []),
    (
      "touch photo.jpg; apus thumbnail \"$F\"photo.heic -o .", 3,
      "skipped, ./photo.jpg exists (use --on-exists replace or rename)", ["photo.jpg"]
    ),
  ])
  func `it runs`(_ script: String, _ status: Int32, _ said: String, _ files: [String]) throws {
    let folder = try TestFolder()
    let result = try bash("cd \(folder.path); exec 2>&1; \(script)")
    #expect(result.status == status, "\(result.output)")
    #expect(result.output.contains(said), "\(result.output)")
    #expect(try folder.listing() == files)
  }
}
