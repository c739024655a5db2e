// SPDX-License-Identifier: MIT

internal import CApusSockets
internal import Glibc

/// An IPv4 or IPv6 address with its port.
struct SocketAddress: Sendable {
  private var storage = sockaddr_storage()
  private(set) var length: socklen_t

  /// Returns `nil` for any other kind of address.
  init?(_ address: UnsafePointer<sockaddr>?, _ length: socklen_t) {
    guard let address = unsafe address, length > 0,
      Int(length) <= MemoryLayout<sockaddr_storage>.size
    else { return nil }
    self.length = length
    unsafe withUnsafeMutableBytes(of: &storage) { storage in
      unsafe storage.copyMemory(
        from: UnsafeRawBufferPointer(start: address, count: Int(length)))
    }
    guard isIPv4 || isIPv6 else { return nil }
  }

  /// Reads the address to which a socket is bound.
  init?(boundTo descriptor: Int32) {
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    var storage = sockaddr_storage()
    let code = unsafe withUnsafeMutablePointer(to: &storage) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        unsafe getsockname(descriptor, address, &length)
      }
    }
    guard code == 0 else { return nil }
    self.storage = storage
    self.length = length
    guard isIPv4 || isIPv6 else { return nil }
  }

  /// Accepts the next connection waiting at a listening socket. Returns -1, with `errno`, if there is none.
  static func accept(from listener: Int32) -> (descriptor: Int32, address: SocketAddress?) {
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    var storage = sockaddr_storage()
    return unsafe withUnsafeMutablePointer(to: &storage) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        let descriptor = unsafe apus_accept(listener, address, &length)
        return (descriptor, descriptor < 0 ? nil : unsafe SocketAddress(address, length))
      }
    }
  }

  var family: Int32 { Int32(storage.ss_family) }
  var isIPv4: Bool { family == AF_INET }
  var isIPv6: Bool { family == AF_INET6 }

  func withAddress<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
    unsafe withUnsafePointer(to: storage) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        unsafe body(address, length)
      }
    }
  }

  /// The port is at the same place in both families.
  var port: UInt16 {
    get {
      unsafe withUnsafeBytes(of: storage) {
        unsafe UInt16(bigEndian: $0.loadUnaligned(fromByteOffset: 2, as: UInt16.self))
      }
    }
    set {
      unsafe withUnsafeMutableBytes(of: &storage) {
        unsafe $0.storeBytes(of: newValue.bigEndian, toByteOffset: 2, as: UInt16.self)
      }
    }
  }

  /// The address as text, without the port.
  var host: String {
    var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
    let code = unsafe withAddress { address, length in
      unsafe getnameinfo(
        address, length, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST)
    }
    guard code == 0 else { return "?" }
    return String(
      decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}

extension SocketAddress: CustomStringConvertible {
  var description: String { isIPv6 ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
