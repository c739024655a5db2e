// SPDX-License-Identifier: MIT

import ApusMedia
import Testing

@testable import ApusCommand
@testable import ApusHTTP

/// Requests in the form of Imaginary, whose documentation has the operations and their parameters.
@Suite struct ImaginaryRequestTests {
  /// Returns the command for a target, or for a pipeline.
  private static func command(_ target: String, of kind: FileKind? = nil) throws -> String {
    let head = HTTPHead(target: target)
    let (verb, options) = try ImaginaryRequest(String(head.path.dropFirst()), head.query)
      .words(for: kind)
    return ([verb.name] + options.map { String($0.dropFirst(2)) }).joined(separator: " ")
  }

  private static func pipeline(_ steps: String...) -> String {
    "/pipeline?operations=[\(steps.joined(separator: ","))]"
  }

  private static func step(_ operation: String, _ parameters: String = "") -> String {
    #"{"operation":"\#(operation)","params":{\#(parameters)}}"#
  }

  /// The target of a request, and the options of the command without their dashes.
  static let commands: [(String, String)] = [
    ("/convert?type=jpeg", "convert format=jpeg quality=80"),
    ("/convert?type=jpg&quality=70", "convert format=jpeg quality=70"),
    ("/convert?type=webp&quality=0", "convert format=webp quality=80"),
    ("/convert?type=png&quality=70", "convert format=png"),
    ("/convert?type=heic", "convert format=heic quality=80"),
    ("/convert?type=heif", "convert format=heic quality=80"),
    ("/convert?type=auto", "convert format=jpeg quality=80"),
    ("/convert?type=jpeg&noprofile=true", "convert format=jpeg quality=80 srgb"),
    ("/convert?type=jpeg&noprofile=false", "convert format=jpeg quality=80"),
    ("/convert?type=jpeg&colorspace=srgb", "convert format=jpeg quality=80 srgb"),
    ("/convert?type=jpeg&interlace", "convert format=jpeg quality=80 progressive"),
    ("/convert?type=jpeg&stripmeta=1", "convert format=jpeg quality=80 strip=all"),
    (
      "/convert?type=jpeg&background=250,20,10", "convert format=jpeg quality=80 background=#fa140a"
    ),
    ("/convert?type=jpeg&norotation=true&nocrop=true&field=f", "convert format=jpeg quality=80"),
    // A size of 0 is none.
    ("/convert?type=jpeg&width=0&height=0", "convert format=jpeg quality=80"),
    ("/fit?width=10&height=20", "convert format=jpeg quality=80 max-size=10x20"),
    ("/fit?width=10&height=20&type=png", "convert format=png max-size=10x20"),
    ("/resize?width=10", "convert format=jpeg quality=80 max-size=10x16384"),
    ("/resize?height=10", "convert format=jpeg quality=80 max-size=16384x10"),
    ("/resize?width=0&height=10", "convert format=jpeg quality=80 max-size=16384x10"),
    ("/resize?width=20000&height=10", "convert format=jpeg quality=80 max-size=16384x10"),
    ("/thumbnail?width=10", "convert format=jpeg quality=80 max-size=10x16384"),
    ("/enlarge?width=10&height=20", "convert format=jpeg quality=80 max-size=10x20 enlarge"),
    // A small picture without metadata may come from the thumbnail of a photo.
    ("/fit?width=10&height=20&stripmeta=true", "thumbnail format=jpeg quality=80 size=10x20"),
    ("/resize?width=10&stripmeta=true&type=png", "thumbnail format=png size=10x16384"),
    ("/thumbnail?height=10&stripmeta=true", "thumbnail format=jpeg quality=80 size=16384x10"),
    (
      "/smartcrop?width=10&height=20&stripmeta=true&gravity=smart",
      "thumbnail format=jpeg quality=80 size=10x20 crop=10:20"
    ),
    (
      "/fit?width=1&height=2&stripmeta=true&type=heic",
      "convert format=heic quality=80 max-size=1x2 strip=all"
    ),
    (
      "/fit?width=1&height=2&stripmeta=true&rotate=180",
      "convert format=jpeg quality=80 max-size=1x2 strip=all rotate=180"
    ),
    (
      "/fit?width=1&height=2&stripmeta=true&interlace=true",
      "convert format=jpeg quality=80 progressive max-size=1x2 strip=all"
    ),
    (
      "/enlarge?width=1&height=2&stripmeta=true",
      "convert format=jpeg quality=80 max-size=1x2 enlarge strip=all"
    ),
    ("/crop?width=50&height=70", "convert format=jpeg quality=80 max-size=50x70 crop=50:70"),
    (
      "/crop?width=50&height=70&gravity=centre",
      "convert format=jpeg quality=80 max-size=50x70 crop=50:70"
    ),
    (
      "/extract?top=10&left=20&areawidth=31&areaheight=17",
      "convert format=jpeg quality=80 crop=31x17+20+10"
    ),
    ("/extract?top=0&areawidth=1&areaheight=2", "convert format=jpeg quality=80 crop=1x2+0+0"),
    (
      "/extract?top=1&areawidth=30&areaheight=20&width=15",
      "convert format=jpeg quality=80 max-size=15x16384 crop=30x20+0+1"
    ),
    ("/rotate?rotate=90", "convert format=jpeg quality=80 rotate=90"),
    ("/rotate?rotate=270", "convert format=jpeg quality=80 rotate=270"),
    ("/rotate?rotate=450", "convert format=jpeg quality=80 rotate=90"),
    ("/rotate?rotate=0", "convert format=jpeg quality=80"),
    ("/autorotate", "convert format=jpeg quality=80"),
    ("/flip", "convert format=jpeg quality=80 flip=vertical"),
    ("/flop", "convert format=jpeg quality=80 flip=horizontal"),
    // Sides are those before a rotation that comes after.
    (
      "/fit?width=10&height=20&rotate=90", "convert format=jpeg quality=80 max-size=20x10 rotate=90"
    ),
    (
      "/fit?width=10&height=20&rotate=180",
      "convert format=jpeg quality=80 max-size=10x20 rotate=180"
    ),
    (pipeline(step("autorotate")), "convert format=jpeg quality=80"),
    (
      pipeline(step("rotate", #""rotate":90"#), step("fit", #""width":10,"height":20"#)),
      "convert format=jpeg quality=80 max-size=10x20 rotate=90"
    ),
    (
      pipeline(step("fit", #""width":10,"height":20"#), step("rotate", #""rotate":"90""#)),
      "convert format=jpeg quality=80 max-size=20x10 rotate=90"
    ),
    (
      pipeline(step("rotate", #""rotate":90"#), step("rotate", #""rotate":180"#), step("flip")),
      "convert format=jpeg quality=80 rotate=270 flip=vertical"
    ),
    (
      pipeline(
        step("extract", #""top":1,"left":2,"areawidth":3,"areaheight":4"#),
        step("resize", #""width":2,"stripmeta":true,"type":"png""#)),
      "convert format=png max-size=2x16384 strip=all crop=3x4+2+1"
    ),
    // Nextcloud's preview of a photo.
    (
      pipeline(
        step("autorotate"),
        step(
          "fit",
          #""width":256,"height":256,"stripmeta":"true","type":"jpeg","norotation":"true","quality":"80""#
        )), "thumbnail format=jpeg quality=80 size=256x256"
    ),
    // An operation may lack parameters, whose absence PHP writes as an empty array.
    (
      #"/pipeline?operations=[{"operation":"flip"}]"#,
      "convert format=jpeg quality=80 flip=vertical"
    ),
    (
      #"/pipeline?operations=[{"operation":"flip","params":[],"ignore_failure":false}]"#,
      "convert format=jpeg quality=80 flip=vertical"
    ),
  ]

  @Test(arguments: commands)
  func `it is the command that makes the same`(_ target: String, _ command: String) throws {
    #expect(try Self.command(target) == command)
  }

  @Test(arguments: [
    (FileKind.png, "png"), (.jpeg, "jpeg"), (.isoBMFF, "jpeg"), (.webP, "jpeg"), (nil, "jpeg"),
  ])
  func `it keeps the format of a PNG unless another is asked for`(
    _ kind: FileKind?, _ format: String
  ) throws {
    for target in ["/flip", "/flip?type=auto"] {
      let words = try Self.command(target, of: kind).split(separator: " ")
      #expect(words[1] == "format=\(format)", "\(target)")
    }
    #expect(try Self.command("/flip?type=webp", of: kind).contains("format=webp"))
  }

  /// The target of a request, and part of the reason for which it is refused.
  static let refused: [(String, String)] = [
    ("/blur?sigma=1", "the operation blur is not done here"),
    ("/convert", "convert needs a type"),
    ("/convert?type=tiff", "the type tiff is not written here"),
    ("/convert?type=", "the type  is not written here"),
    ("/fit?width=10", "fit needs width and height"),
    ("/fit?width=10&height=0", "fit needs width and height"),
    ("/fit", "fit needs a width"),
    ("/enlarge?height=10", "enlarge needs width and height"),
    ("/resize", "resize needs a width"),
    ("/resize?width=0", "resize needs a width"),
    ("/thumbnail?width=0&height=0", "thumbnail needs a width"),
    ("/crop?width=10", "crop needs width and height"),
    ("/smartcrop?height=10&width=0", "smartcrop needs width and height"),
    ("/extract?areawidth=1&areaheight=1", "extract needs top"),
    ("/extract?top=1&areawidth=1", "extract needs top"),
    ("/extract?top=1&areawidth=0&areaheight=1", "extract needs top"),
    ("/rotate", "rotate needs the degrees"),
    ("/rotate?rotate=45", "multiples of 90"),
    ("/flip?rotate=90", "before any flip"),
    ("/resize?width=ten", "width is a whole number, not ten"),
    ("/resize?width=-1", "width is a whole number, not -1"),
    ("/resize?width=65536", "width is a whole number"),
    ("/resize?width=1.5", "width is a whole number"),
    ("/resize?width", "width is a whole number"),
    // Nothing is ignored: neither what is not known nor what another operation takes.
    ("/fit?width=10&height=10&embed=true", "embed of fit is not done here"),
    ("/fit?width=10&height=10&top=1", "top of fit is not done here"),
    ("/crop?width=10&height=10&areawidth=1", "areawidth of crop is not done here"),
    ("/convert?type=png&width=10", "width of convert is not done here"),
    ("/rotate?rotate=90&height=10", "height of rotate is not done here"),
    ("/flop?width=10", "width of flop is not done here"),
    ("/autorotate?width=10&height=10", "height of autorotate is not done here"),
    ("/crop?width=10&height=10&gravity=north", "north is not done"),
    ("/crop?width=10&height=10&gravity=smart", "smart is not done"),
    ("/flip?nocrop=false", "nocrop=false is not done"),
    ("/flip?stripmeta=maybe", "stripmeta is true or false, not maybe"),
    ("/flip?interlace=2", "interlace is true or false, not 2"),
    ("/flip?colorspace=bw", "bw is not done"),
    ("/flip?background=1,2", "background is three numbers"),
    ("/flip?background=1,2,256", "background is three numbers"),
    ("/flip?background=1,2,3,4", "background is three numbers"),
    ("/flip?background=1,x,2,3", "background is three numbers"),
    ("/flip?background=1,,2,3", "background is three numbers"),
    ("/pipeline", "takes operations"),
    ("/pipeline?operations", "takes operations"),
    ("/pipeline?operations=[]&width=10", "takes operations, a JSON array, and nothing else"),
    ("/pipeline?operations=nothing", "operations is no JSON"),
    ("/pipeline?operations={}", "an array of 1 to 10 operations"),
    ("/pipeline?operations=[]", "an array of 1 to 10 operations"),
    (pipeline(String(repeating: step("autorotate") + ",", count: 10) + step("flip")), "1 to 10"),
    (pipeline("1"), "an object with the member operation"),
    (pipeline(#"{"params":{}}"#), "an object with the member operation"),
    (pipeline(#"{"operation":1}"#), "an object with the member operation"),
    (pipeline(#"{"operation":"flip","other":1}"#), "flip has the member other"),
    (pipeline(#"{"operation":"flip","ignore_failure":true}"#), "ignore_failure is not supported"),
    (pipeline(#"{"operation":"flip","params":[1]}"#), "params of flip is an object"),
    (pipeline(#"{"operation":"flip","params":"width"}"#), "params of flip is an object"),
    (pipeline(step("fit", #""width":[1]"#)), "width of fit is neither text nor a number"),
    (pipeline(step("watermark")), "the operation watermark is not done here"),
    (pipeline(step("pipeline")), "the operation pipeline is not done here"),
    (pipeline(step("flip"), step("flop")), "flop is done once"),
    (pipeline(step("flip"), step("rotate", #""rotate":90"#)), "before any flip"),
    (pipeline(step("rotate", #""rotate":90"#), step("rotate")), "rotate needs the degrees"),
    (
      pipeline(step("resize", #""width":1"#), step("fit", #""width":1,"height":1"#)),
      "fit is the second change of size"
    ),
    (
      pipeline(step("rotate", #""rotate":90"#), step("crop", #""width":1,"height":1"#)),
      "crop after extract or rotate is not done"
    ),
    (
      pipeline(step("flip"), step("extract", #""top":1,"areawidth":3,"areaheight":4"#)),
      "extract is done first, and once"
    ),
  ]

  @Test(arguments: refused)
  func `it refuses what it does not do, by its name`(_ target: String, _ part: String) {
    let error = #expect(throws: UsageError.self) { try Self.command(target) }
    #expect(error?.message.contains(part) == true, "\(error?.message ?? "")")
  }
}
