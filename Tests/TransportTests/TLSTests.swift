// SPDX-License-Identifier: MIT

import ApusTLS
import ApusTransport
import FLV
import RTMP
import TestSupport
import Testing

/// TLS against a certificate that `openssl` makes.
@Suite(.enabled(if: isInstalled("openssl"))) struct TLSTests {
  /// An authority, and two certificates that it vouches for.
  private static func authority() throws -> TestFolder {
    let folder = try TestFolder()
    try folder.run(
      """
      exec 2>/dev/null
      new='-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes'
      openssl req -x509 $new -keyout ca.key -out ca.pem -days 2 -subj '/CN=Test authority'
      certify() {
        openssl req $new -keyout $1.key -out $1.csr -subj "/CN=$1"
        echo "subjectAltName=$2" >$1.ext
        openssl x509 -req -in $1.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 \\
          -extfile $1.ext -out $1.pem
      }
      certify here DNS:localhost,IP:127.0.0.1
      certify elsewhere DNS:live.example.test
      """)
    return folder
  }

  private static func publish(
    _ folder: TestFolder, certificate: String = "here", host: String = "127.0.0.1", trust: TLSTrust
  ) throws -> (Rig, Client) {
    let rig = try Rig()
    var options = ListenerOptions()
    options.tls = .init(
      certificate: folder.path + "/\(certificate).pem", key: folder.path + "/\(certificate).key")
    try rig.listen("127.0.0.1", options)
    var clientOptions = ClientOptions()
    clientOptions.trust = trust
    let client = Client(rig, Rig.address(host, rig.port, .rtmps), .publish, clientOptions) {
      link, event in
      guard case .state(.running) = event else { return }
      #expect(throws: Never.self) { try link.send(Tags.few) }
      link.end()
    }
    rig.run { client.isEnded && rig.serverEnds.count == rig.opened }
    return (rig, client)
  }

  @Test(arguments: ["127.0.0.1", "localhost"])
  func `it publishes to a server that its authority vouches for`(host: String) throws {
    let folder = try Self.authority()
    let (rig, client) = try Self.publish(
      folder, host: host, trust: .file(folder.path + "/ca.pem"))
    #expect(client.error == nil)
    #expect(rig.received.map(\.data) == (try Tags.bytes(Tags.few)))
    #expect(rig.serverEnds == [nil])
  }

  @Test func `it refuses a server that nobody vouches for`() throws {
    let folder = try Self.authority()
    let (rig, client) = try Self.publish(folder, trust: .system)
    #expect(client.error?.kind == .security)
    #expect(client.error?.detail.contains("vouches for the certificate of 127.0.0.1") == true)
    #expect(client.error?.detail.contains("CA file") == true)
    #expect(client.states == [])
    #expect(rig.received == [])
  }

  @Test func `it refuses a server with another's certificate`() throws {
    let folder = try Self.authority()
    let (_, client) = try Self.publish(
      folder, certificate: "elsewhere", trust: .file(folder.path + "/ca.pem"))
    #expect(
      client.error?.detail
        == "the server's certificate is not for 127.0.0.1; connect to a name that it is for")
  }

  @Test func `it takes any certificate where that is asked for`() throws {
    let folder = try Self.authority()
    let (rig, client) = try Self.publish(folder, certificate: "elsewhere", trust: .none)
    #expect(client.error == nil)
    #expect(rig.received.count == Tags.few.count)
  }

  @Test func `it says that a server speaks no TLS`() throws {
    let rig = try Rig()
    let server = try PlainServer(rig.loop, .closing(.idle))
    let client = Client(rig, Rig.address("localhost", server.port, .rtmps))
    rig.run { client.isEnded }
    #expect(client.error?.kind == .security)
    #expect(client.error?.detail.contains("TLS handshake") == true)
  }

  @Test func `it sends 8 MB through TLS and a small window`() throws {
    let folder = try Self.authority()
    let rig = try Rig()
    var options = ListenerOptions()
    options.tls = .init(certificate: folder.path + "/here.pem", key: folder.path + "/here.key")
    try rig.listen("127.0.0.1", options)
    let tags = (0..<8).map {
      Tags.sample(.video, at: Int64($0), [0xa1] + [UInt8](repeating: UInt8($0), count: 1 << 20))
    }
    var clientOptions = ClientOptions()
    clientOptions.trust = .file(folder.path + "/ca.pem")
    let client = Client(
      rig, Rig.address("127.0.0.1", rig.port, .rtmps), .publish, clientOptions
    ) { link, event in
      switch event {
      case .state(.running): #expect(throws: Never.self) { try link.send(tags) }
      case .drained: link.end()
      default: break
      }
    }
    rig.run { client.isEnded }
    #expect(client.drained == 1)
    #expect(client.error == nil)
    #expect(rig.received.map(\.data) == (try Tags.bytes(tags)))
  }

  @Test func `it names the file that cannot be used`() throws {
    let folder = try Self.authority()
    let rig = try Rig()
    var options = ListenerOptions()
    options.tls = .init(
      certificate: folder.path + "/here.pem", key: folder.path + "/elsewhere.key")
    let error = #expect(throws: TransportError.self) { try rig.listen("127.0.0.1", options) }
    #expect(
      error?.description.contains("elsewhere.key cannot be used: key values mismatch") == true)

    var clientOptions = ClientOptions()
    clientOptions.trust = .file(folder.path + "/none.pem")
    let client = Client(
      rig, Rig.address("127.0.0.1", 1, .rtmps), .publish, clientOptions)
    rig.run { client.isEnded }
    #expect(client.error?.detail.contains("none.pem cannot be used") == true)
  }
}
