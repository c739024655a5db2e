// SPDX-License-Identifier: MIT

import ApusBytes
import ApusFiles
import ApusMedia
import ApusStills

/// `heif-thumbnailer`: a small picture as a PNG, as file managers ask for it.
struct HeifThumbnailer: DropIn {
  static let names = ["heif-thumbnailer"]
  static let summary = "make a small PNG of a HEIF file, in the place of libheif's program"
  static let discussion = """
    The longer side of the small picture is SIZE, or that of the photo where it is smaller. The thumbnail that the photo \
    holds is taken where it is that large; libheif's program takes it however small it is. OUT is a PNG, whatever it is \
    called, and is replaced where it is there.
    """
  static let usageStatus: Int32 = 1

  var size = LargestSize(512)
  var fromPrimary = false
  var input = ""
  var output = ""

  mutating func arguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    try v.option("", short: "s", "SIZE", &size, "how many pixels the longer side may have")
    try v.flag(
      "", short: "p", &fromPrimary, "make it from the photo, even if that holds a thumbnail")
    try v.operand("IN", &input, completion: .files, "a HEIF file")
    try v.operand("OUT", &output, completion: .files, "the PNG to write")
  }

  func run(_ console: Console) throws {
    var options = ConvertOptions()
    options.format = .png
    options.bounds = size.bounds
    options.job = .thumbnail(fromPrimary ? .always : .ifAbsent)
    options.hdr = .drop
    let file = FileIdentity(input)
    let source = try openInput(input, limit: Limits().pipe)
    let request = PhotoRequest(
      name: input, open: { source },
      output: { [output] role in
        role == .primary ? try FileDestination(output, from: file, onExists: .replace) : nil
      })
    let report = PhotoEngine(options).reportAndWait(of: request)
    for warning in report.warnings { console.warn("\(input): \(warning)") }
    if let failure = report.failure { console.fail(input, failure) }
  }
}
