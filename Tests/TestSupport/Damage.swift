// SPDX-License-Identifier: MIT

internal import ApusMedia
public import Testing

/// Something that makes a picture less than whole, and what is to be said of it.
public struct Damage: Sendable, CustomTestStringConvertible {
  public var testDescription: String
  var file: String
  /// Of the frame that is decoded.
  var index = 0
  var kind: MediaError.Kind
  /// What the message says.
  var text: String
  /// Whether there is something to salvage.
  var leavesPicture = true
  var change: @Sendable (inout CodedPicture) -> Void

  /// Whether other pictures are needed.
  public var isPredicted: Bool { index > 0 }

  func picture() throws -> CodedPicture { try CodedFixture.frame(index, in: file) }

  func applied(to picture: CodedPicture) -> CodedPicture {
    var changed = picture
    change(&changed)
    return changed
  }

  init(
    _ name: String, of file: String, frame index: Int = 0, _ kind: MediaError.Kind,
    _ text: String, leavesPicture: Bool = true,
    _ change: @escaping @Sendable (inout CodedPicture) -> Void
  ) {
    testDescription = name
    self.file = file
    self.index = index
    self.kind = kind
    self.text = text
    self.leavesPicture = leavesPicture
    self.change = change
  }

  /// What every decoder finds. `slices.mp4` holds three slices of four rows of coding tree blocks, and a hash.
  public static let all: [Damage] = [
    Damage("the last byte is cut off", of: "slices.mp4", .incomplete, "a NAL unit of 22 bytes") {
      $0.samples[0].removeLast()
    },
    Damage("half of the sample is cut off", of: "slices.mp4", .incomplete, "are left") {
      $0.samples[0].removeLast($0.samples[0].count / 2)
    },
    Damage(
      "there is no sample", of: "slices.mp4", .incomplete, "has no bytes", leavesPicture: false
    ) { $0.samples[0] = [] },
    Damage("a length is one too large", of: "slices.mp4", .incomplete, "NAL unit") {
      $0.samples[0][3] += 1
    },
    Damage(
      "a byte follows the last unit", of: "slices.mp4", .incomplete, "1 bytes after its last NAL"
    ) { $0.samples[0].append(7) },
    Damage("the last slice is gone", of: "slices.mp4", .incomplete, "column 0, row 128") {
      $0.units.remove(at: 2)
      $0.units.removeLast()
    },
    Damage("the middle slice is gone", of: "slices.mp4", .incomplete, "column 0, row 64") {
      $0.units.remove(at: 1)
      $0.units.removeLast()
    },
    Damage("zeros in a slice", of: "slices.mp4", .incomplete, "40 zero bytes at 104") {
      $0.samples[0].replaceSubrange(104..<144, with: repeatElement(0, count: 40))
    },
    Damage("zeros to the end of a slice", of: "slices.mp4", .incomplete, "152 zero bytes at 104") {
      $0.samples[0].replaceSubrange(104..<256, with: repeatElement(0, count: 152))
    },
    Damage("a bit of a slice with a hash", of: "slices.mp4", .corrupt, "cannot be decoded") {
      $0.samples[0][100] ^= 0x10
    },
    Damage(
      "all slices are gone", of: "slices.mp4", .incomplete, "no picture",
      leavesPicture: false
    ) { $0.units.removeFirst(3) },
    Damage(
      "the picture that it is predicted from is gone", of: "hvc1.mp4", frame: 3, .incomplete,
      "predicted from"
    ) { $0.samples.removeFirst() },
    Damage(
      "a sample before it is cut", of: "hvc1.mp4", frame: 3, .incomplete, "sample 1 of"
    ) { $0.samples[0].removeLast() },
  ]
}
