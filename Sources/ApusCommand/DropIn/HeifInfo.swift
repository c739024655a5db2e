// SPDX-License-Identifier: MIT

import Bytes
import Files
import HEIF
import ISOBMFF
import Media

/// `heif-info`: the pictures of a HEIF file and what accompanies them.
struct HeifInfo: DropIn {
  static let names = ["heif-info"]
  static let summary = "list the pictures of a HEIF file, in the place of libheif's program"
  static let discussion = """
    The lines are those of libheif 1.23, of which the programs of versions before print some; how often a sequence is \
    repeated is not among them. apus info tells more. --dump-boxes shows what apus inspect shows.
    """

  var dumpsBoxes = false
  var input = ""
  var refusals = Refusals()

  mutating func arguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    try v.operand("IN", &input, completion: .files, "a HEIF file")
    try v.flag("dump-boxes", short: "d", &dumpsBoxes, "show every box of the file")
    try v.refused(
      "disable-limits", &refusals, "limits stay; apus info --limit NAME=VALUE raises one")
  }

  func run(_ console: Console) throws {
    guard !dumpsBoxes else {
      var inspect = Inspect()
      inspect.inputs = InputOptions(naming: [input])
      _ = try inspect.run(console)
      return
    }
    let source = try DropInFailure.input(input)
    guard try FileKind(of: source) == .isoBMFF else {
      throw MediaError(.unsupported, of: .input, "\(input) is not a HEIF file")
    }
    let file = PhotoFile(try BoxTree(reading: source))
    var output = ResultStream(console: console)
    let text = HeifInfoText(file: file)
    text.write(to: &output)
    guard text.hasSequence || !file.everyPicture.isEmpty else {
      throw MediaError(.unsupported, of: .input, "\(input) has no picture items")
    }
    for picture in file.everyPicture {
      guard case .item = picture.place else { continue }
      do {
        _ = try file.plan(picture)
      } catch  where error.kind == .truncated {
        // Libheif opens no file that was cut.
        throw MediaError(error).inside("\(input): ")
      } catch {
        // What cannot be decoded can be listed.
      }
    }
  }
}
