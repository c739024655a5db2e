// SPDX-License-Identifier: MIT

import ApusBytes
import ApusFiles
import TestSupport
import Testing

@testable import ApusCommand

/// File names are bytes, and stay what they are.
struct FileNameTests {
  /// Names, and which of their bytes are no part of well-formed UTF-8, as Python's `surrogateescape` has it.
  @Test(
    arguments: [
      ([0x63, 0x61, 0x66, 0xE9], "caf\u{10FFE9}"), ([0xFF], "\u{10FFFF}"), ([0x80], "\u{10FF80}"),
      ([0xC3, 0xA9], "é"), ([0x65, 0xCC, 0x81], "e\u{301}"), ([0xF0, 0x9F, 0x98, 0x80], "😀"),
      ([0xC0, 0xAF], "\u{10FFC0}\u{10FFAF}"),
      ([0xED, 0xA0, 0x80], "\u{10FFED}\u{10FFA0}\u{10FF80}"),
      ([0xE2, 0x82, 0x41], "\u{10FFE2}\u{10FF82}A"), ([0xEF, 0xBF, 0xBD], "\u{FFFD}"),
      ([0xF4, 0x8F, 0xBD, 0xBF], "\u{10FF7F}"),
      ([0xF4, 0x8F, 0xBF, 0xA9], "\u{10FFF4}\u{10FF8F}\u{10FFBF}\u{10FFA9}"),
      ([0xF4, 0x90, 0x80, 0x80], "\u{10FFF4}\u{10FF90}\u{10FF80}\u{10FF80}"), ([], ""),
    ] as [([UInt8], String)])
  func `it makes one scalar of each byte that is no UTF-8`(_ name: [UInt8], _ text: String) {
    #expect(FileName.text(of: name).utf8.elementsEqual(text.utf8))
    #expect(FileName.bytes(of: text) == name)
  }

  @Test
  func `it gives every name a text of its own, and the name back`() {
    let bytes: [UInt8] = [
      0x2F, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0xA9, 0xBD, 0xBE, 0xBF, 0xC2, 0xE2, 0xED, 0xEF, 0xF4,
      0xFF,
    ]
    var texts: Set<[UInt8]> = []
    var names: [[UInt8]] = [[]]
    var count = 1
    for _ in 0..<4 {
      names = names.flatMap { name in bytes.map { name + [$0] } }
      count += names.count
      for name in names {
        let text = FileName.text(of: name)
        #expect(FileName.bytes(of: text) == name)
        texts.insert(Array(text.utf8))
      }
    }
    #expect(texts.count == count - 1)
  }

  private func run(_ script: String) throws -> (
    folder: TestFolder, output: String, status: Int32
  ) {
    let folder = try TestFolder()
    let result = try bash("cd \(folder.path); exec 2>&1; p=${F}still-64x48.heic; \(script)")
    return (folder, result.output, result.status)
  }

  @Test(
    arguments: [
      "-r n", "$'n/caf\\xe9.heic'", "n/*.heic", "'n/*.heic'", "--files-from list",
      "-0 --files-from list0",
      "-r n --isolate", "-r n --journal $'j\\xff'",
    ])
  func `it converts photos under their names, in every way to name them`(_ words: String) throws {
    let (_, output, status) = try run(
      #"""
      mkdir n; cp $p $'n/caf\xe9.heic'; ls -d n/* > list; printf 'n/caf\xe9.heic\0' > list0
      (IFS=' '; apus convert \#(words) --json) || exit
      [ -e $'n/caf\xe9.jpg' ] && [ $(ls n | wc -l) = 2 ]
      """#)
    #expect(status == 0, "\(output)")
    #expect(output.contains(#""input":"n/caf\udce9.heic","output":"n/caf\udce9.jpg""#), "\(output)")
  }

  @Test
  func `it keeps files apart whose names only look alike`() throws {
    let (_, output, status) = try run(
      #"""
      mkdir al; cp $p $'al/x\xff.heic'; cp $p $'al/x\xef\xbf\xbd.heic'
      cp $p $'al/\xc3\xa9.heic'; cp $p $'al/e\xcc\x81.heic'; cp $p $'al/\xcc\x81.heic'
      apus export -r al -o ex --images current || exit
      apus convert -r al -o jpg/ || exit
      diff <(ls ex | LC_ALL=C sed 's/heic$//') <(ls jpg | LC_ALL=C sed 's/jpg$//') && ls ex | wc -l
      """#)
    #expect(status == 0, "\(output)")
    #expect(output.hasSuffix("\n5\n"), "\(output)")
  }

  @Test(
    arguments: [
      ("convert $p -o $'out-\\xe9.jpg'", "jpg"), ("thumbnail $p -o $'out-\\xe9.jpg'", "jpg"),
      ("extract ${F}thumbnail.heic --role thumbnail -o $'out-\\xe9.jpg'", "jpg"),
      ("remux ${F}hvc1.mp4 -o $'out-\\xe9.flv'", "flv"),
      ("remux ${F}hvc1.mp4 -o $'out-\\xe9.m3u8'", "m3u8"),
      ("edit $p -o $'out-\\xe9.heic' --set meta/pitm/item_ID=1", "heic"),
    ])
  func `it writes what is named, in every verb that writes`(_ words: String, _ ending: String)
    throws
  {
    let (_, output, status) = try run(
      #"""
      eval apus \#(words) || exit; [ -e $'out-\xe9.\#(ending)' ] && ls | wc -l
      """#)
    #expect(status == 0, "\(output)")
    #expect(output.contains(ending == "m3u8" ? "2\n" : "1\n"), "\(output)")
  }

  @Test
  func `it shows the bytes of a name as escapes, and never as they are`() throws {
    let (_, output, status) = try run(
      #"""
      cp $p $'a\xe9\x1b.heic'; apus info $'a\xe9\x1b.heic' | head -n 1; apus convert $'gone\xe9.heic'
      """#)
    #expect(status == 1, "\(output)")
    #expect(output.contains(#"a\xE9"#) && output.contains(#"gone\xE9.heic: cannot be opened"#))
    #expect(!output.contains("\u{FFFD}"))
  }
}
