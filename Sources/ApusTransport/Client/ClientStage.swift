// SPDX-License-Identifier: MIT

internal import RTMP

/// The stages of a client link, each with a deadline.
enum ClientStage {
  case resolve
  case connect
  case tls
  case session(ClientState)

  func deadline(_ deadlines: ClientOptions.Deadlines) -> Duration? {
    switch self {
    case .resolve: deadlines.resolve
    case .connect: deadlines.connect
    case .tls: deadlines.tls
    case .session(.handshake): deadlines.handshake
    case .session(.connect): deadlines.connectCommand
    case .session(.createStream): deadlines.createStream
    case .session(.request): deadlines.request
    case .session: nil
    }
  }

  /// Returns the error for a missed deadline, with its possible cause.
  func error(_ address: Address, after time: Duration) -> SessionError {
    let (host, time) = (address.host, time.text)
    let port = "\(host) port \(address.port)"
    let words =
      switch self {
      case .resolve:
        "the name \(host) was not resolved within \(time); is this machine's resolver reachable?"
      case .connect:
        "\(port) did not answer within \(time); is the server running, and does the firewall allow the port?"
      case .tls:
        "\(port) did not finish the TLS handshake within \(time); does it speak TLS at this port?"
      case .session(.handshake):
        "\(port) did not finish the RTMP handshake within \(time); does it speak "
          + (address.scheme == .rtmps ? "RTMP" : "RTMP, and without TLS,") + " at this port?"
      case .session(let state):
        "\(host) did not answer the stage “\(state.rawValue)” within \(time)"
      }
    return SessionError(.deadline, words)
  }
}
