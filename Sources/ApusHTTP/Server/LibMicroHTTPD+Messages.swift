// SPDX-License-Identifier: MIT

internal import ApusFiles
internal import CApusMicroHTTPD
internal import Glibc

/// The messages of HTTP in the library's form.
extension LibMicroHTTPD {
  func socket(of connection: OpaquePointer) -> Int32 {
    var call = call
    return unsafe apus_http_socket(&call, connection)
  }

  func read(_ head: inout HTTPHead, _ connection: OpaquePointer) {
    head.headers = unsafe fields(.HEADER_KIND, of: connection)
    head.query = unsafe fields(.GET_ARGUMENT_KIND, of: connection)
  }

  private func fields(_ kind: MHD_ValueKind, of connection: OpaquePointer) -> [HTTPHead.Field] {
    var fields: [HTTPHead.Field] = []
    unsafe withUnsafeMutablePointer(to: &fields) { fields in
      _ = unsafe call.MHD_get_connection_values(
        connection, kind,
        { context, _, name, value in
          guard let context = unsafe context, let name = unsafe name else { return .YES }
          let fields = unsafe context.assumingMemoryBound(to: [HTTPHead.Field].self)
          let value = unsafe value.map { unsafe String(cString: $0) }
          unsafe fields.pointee.append(HTTPHead.Field(String(cString: name), value))
          return .YES
        }, fields)
    }
    return fields
  }

  func response(_ answer: HTTPAnswer) -> OpaquePointer? {
    let response: OpaquePointer?
    switch answer.body {
    case .bytes(var bytes):
      unsafe response = bytes.withUnsafeMutableBytes { buffer in
        unsafe call.MHD_create_response_from_buffer(
          buffer.count, buffer.baseAddress, .RESPMEM_MUST_COPY)
      }
    case .file(let file):
      let descriptor = file.withDescriptor { fcntl($0, F_DUPFD_CLOEXEC, 0) }
      guard descriptor >= 0 else { return nil }
      unsafe response = call.MHD_create_response_from_fd64(UInt64(file.count), descriptor)
    case .stretch(let stretch):
      let descriptor = stretch.file.withDescriptor { fcntl($0, F_DUPFD_CLOEXEC, 0) }
      guard descriptor >= 0 else { return nil }
      unsafe response = call.MHD_create_response_from_fd_at_offset64(
        UInt64(stretch.range.count), descriptor, UInt64(stretch.range.lowerBound))
    }
    guard let response = unsafe response else { return nil }
    for (name, value) in answer.headers {
      _ = unsafe call.MHD_add_response_header(response, name, value)
    }
    return unsafe response
  }
}
