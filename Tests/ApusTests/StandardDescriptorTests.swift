// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@testable import ApusCommand

/// Descriptors that are closed when the command begins.
struct StandardDescriptorTests {
  @Test(
    arguments: [
      "-v 2>&-", "-v <&- 2>&-", "-v <&- >&- 2>&-", "--json >&-", "--json >&- 2>&-",
    ])
  func `it writes outputs that hold nothing but themselves`(_ words: String) throws {
    let folder = try TestFolder()
    let (output, status) = try bash(
      """
      cd \(folder.path); p=${F}still-64x48.heic; apus convert $p -o whole.jpg 2> /dev/null
      (IFS=' '; apus convert $p -o out.jpg \(words)); cmp whole.jpg out.jpg && [ $(ls | wc -l) = 2 ]
      """)
    #expect(status == 0, "\(output)")
  }

  @Test(
    arguments: [
      "convert $p -o - >&-", "inspect $p >&-", "convert - -o a.jpg <&-",
      "convert $p -o a.jpg --json >&-",
    ])
  func `it fails where results go nowhere, or input comes from nowhere`(_ words: String) throws {
    let folder = try TestFolder()
    let (output, _) = try bash(
      """
      cd \(folder.path); p=p.heic; cp "$F"still-64x48.heic $p; eval 'apus \(words)' 2> said; echo $?
      cat said
      """)
    #expect(output.hasPrefix("1\n"), "\(output)")
    #expect(output.contains("Bad file descriptor"), "\(output)")
  }
}
