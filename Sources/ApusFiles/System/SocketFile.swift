// SPDX-License-Identifier: MIT

internal import Glibc

/// Creates a listening socket in the file system, for programs on this machine. A socket that a server left behind is
/// replaced; one on which a server still listens is not, nor is any other file.
package func listen(atPath path: String) throws(FileError) -> Int32 {
  let descriptor = socket(
    AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
  guard descriptor >= 0 else { throw FileError("listen at", path) }
  var (code, isBound) = unsafe call(bind, descriptor, path)
  if code == EADDRINUSE, isAbandoned(path) {
    unsafe unlink(path.systemName)
    (code, isBound) = unsafe call(bind, descriptor, path)
  }
  guard isBound, listen(descriptor, 1024) == 0 else {
    close(descriptor)
    throw FileError("listen at", path, code: code)
  }
  return descriptor
}

/// Removes a socket created by `listen`.
package func removeSocket(at path: String) {
  if isSocket(path) { unsafe unlink(path.systemName) }
}

private func isSocket(_ path: String) -> Bool {
  var status = stat()
  return unsafe lstat(path.systemName, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
}

private func isAbandoned(_ path: String) -> Bool {
  guard isSocket(path) else { return false }
  let descriptor = socket(
    AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
  guard descriptor >= 0 else { return false }
  defer { close(descriptor) }
  return unsafe call(connect, descriptor, path).code == ECONNREFUSED
}

/// Calls a system function with a path as the address.
private func call(
  _ function: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32, _ descriptor: Int32,
  _ path: String
) -> (code: Int32, isDone: Bool) {
  var address = sockaddr_un()
  address.sun_family = sa_family_t(AF_UNIX)
  let name = path.systemName
  let isFitting = unsafe withUnsafeMutableBytes(of: &address.sun_path) { place in
    guard name.count <= place.count else { return false }
    unsafe name.withUnsafeBytes { unsafe place.copyMemory(from: $0) }
    return true
  }
  guard isFitting else { return (ENAMETOOLONG, false) }
  let result = unsafe withUnsafePointer(to: &address) { pointer in
    unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
      unsafe function(descriptor, address, socklen_t(MemoryLayout<sockaddr_un>.size))
    }
  }
  return (result == 0 ? 0 : errno, result == 0)
}

/// Sends a message to a socket in the file system, or to an abstract one, whose name begins with `@`.
package func sendDatagram(_ text: String, toPath path: String) {
  let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
  guard descriptor >= 0 else { return }
  defer { close(descriptor) }
  var address = sockaddr_un()
  address.sun_family = sa_family_t(AF_UNIX)
  var name = Array(path.utf8)
  if name.first == UInt8(ascii: "@") { name[0] = 0 }
  let isFitting = unsafe withUnsafeMutableBytes(of: &address.sun_path) { place in
    guard name.count <= place.count else { return false }
    unsafe name.withUnsafeBytes { unsafe place.copyMemory(from: $0) }
    return true
  }
  guard isFitting else { return }
  let length = MemoryLayout<sa_family_t>.size + name.count
  unsafe withUnsafePointer(to: &address) { pointer in
    unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
      var text = Array(text.utf8)
      _ = unsafe sendto(descriptor, &text, text.count, 0, address, socklen_t(length))
    }
  }
}
