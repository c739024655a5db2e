// SPDX-License-Identifier: MIT

import ApusBytes
import ApusFiles
import ApusForeign
import ApusMedia
import ApusTLS

/// The login at the address of an input.
struct LoginOptions: ArgumentGroup {
  static let heading = "Network"
  static let variable = "APUS_LOGIN"

  var file: String?

  mutating func arguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    try v.option(
      "login-file", "FILE", &file, completion: .files,
      """
      read user:password for the input's address from FILE
      Without it, \(Self.variable) may hold them
      """)
  }

  /// Throws if options for addresses are given, but no address is.
  func check(_ inputs: InputOptions, _ trust: TrustOptions) throws(UsageError) {
    guard trust.isSet || file != nil else { return }
    guard inputs.operands.contains(where: NetworkAddress.isOne) else {
      throw UsageError("--login-file, --ca-file and --insecure are only for addresses")
    }
  }

  /// Returns user and password, if any are given.
  private func login() throws -> String? {
    guard let file else {
      return Terminal.environment(Self.variable).flatMap { $0.isEmpty ? nil : $0 }
    }
    return try InputName(path: file).line("a login", ": user:password") { $0.contains(":") }
  }

  /// Returns the input at an address; `nil` for a file, even one with such a name.
  func input(_ name: String, _ trust: @autoclosure () throws -> TLSTrust) throws
    -> NetworkInput?
  {
    guard NetworkAddress.isOne(name), !FileSystem.exists(name) else { return nil }
    var options = NetworkOptions()
    switch try trust() {
    case .system: break
    case .file(let path): options.certificates = path
    case .none: options.checksCertificates = false
    }
    let login = try login()
    let address: NetworkAddress
    do throws(MediaError) {
      address = try NetworkAddress(name, login: login)
    } catch {
      throw UsageError(error.message)
    }
    guard address.scheme != .rtsps || !options.checksCertificates else {
      throw UsageError("rtsps:// needs --insecure: libavformat cannot check its certificate")
    }
    return NetworkInput(address, options)
  }

  /// Downloads an input if it is an address of a file in the web; Ctrl-C ends that.
  ///
  /// - Parameter limit: the most bytes that the file may have.
  func downloaded(
    _ name: InputName, _ trust: TrustOptions, _ console: Console, limit: Int
  ) throws(FileError) -> (any ByteSource)? {
    do {
      guard let found = try input(name.path, trust.trust(console)) else { return nil }
      Interruption.watch(endsPipes: false) { found.stop() }
      return try found.downloaded(limit: limit)
    } catch {
      throw FileError("open", SecretRanges.masked(name.path), reason: "\(error)")
    }
  }

  /// Opens the input of a job if it is an address. Ctrl-C ends it, and the job completes what has come.
  ///
  /// - Parameter isOnly: whether the job has no other input.
  func opened(
    _ name: InputName, isOnly: Bool, _ trust: TrustOptions, _ console: Console
  ) throws(FileError) -> (any ByteSource)? {
    let found: NetworkInput
    do {
      guard let one = try input(name.path, trust.trust(console)) else { return nil }
      found = one
    } catch {
      throw FileError("open", SecretRanges.masked(name.path), reason: "\(error)")
    }
    guard isOnly else {
      throw FileError("open", "\(found.address)", reason: "an address must be the only input")
    }
    Interruption.watch(endsPipes: false) { found.stop() }
    return found
  }
}
