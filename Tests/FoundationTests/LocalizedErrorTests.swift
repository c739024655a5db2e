// SPDX-License-Identifier: MIT

import ApusBytes
import ApusFiles
import ApusFoundation
import ApusMedia
import Foundation
import Testing

@Suite struct LocalizedErrorTests {
  @Test(
    arguments: [
      MediaError(.corrupt, of: .part("tile 5"), "was not decoded", at: .byte(7, in: "mdat")),
      FileError("open", "a.heic", reason: "no such file"),
      SyntaxError(.truncated, field: "ispe", offset: 3, detail: "needs 20 bytes, has 12"),
    ] as [any Error])
  func `it has the message of the error as its localized description`(_ error: any Error) {
    #expect(error.localizedDescription == "\(error)")
  }

  @Test func `it keeps the error that a media error was made of`() throws {
    let error = MediaError(FileError("write", "a.jpg", code: ENOSPC))
    #expect((error.underlying as? FileError)?.code == ENOSPC)
    #expect(error == MediaError(.io, error.detail))
  }
}
