// SPDX-License-Identifier: MIT

import Glibc
import TestSupport
import Testing

@testable import ApusFiles

/// Files that other users may have put into a shared folder.
struct OtherUsersTests {
  @Test func `it does not wait for the lock of another user`() throws {
    let folder = try TestFolder()
    let lock = folder.file(".out.m3u8.apus-lock")
    try folder.write("", to: ".out.m3u8.apus-lock")
    // Only the superuser can give a file away.
    let planted = unsafe geteuid() == 0 ? chown(lock, 65_533, 65_533) : link(lock, lock + "-2")
    try #require(planted == 0)
    let held = FileSystem.open(lock, O_RDWR)
    defer { close(held) }
    try #require(flock(held, LOCK_EX) == 0)
    _ = OutputLock(folder.file("out.m3u8"))
    #expect(FileSystem.exists(lock))
  }
}
