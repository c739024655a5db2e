// SPDX-License-Identifier: MIT

internal import ApusBytes

/// The common part of the sessions of both sides: turns bytes into messages, and collects actions.
protocol Session {
  associatedtype Action: SessionAction
  var channel: MessageChannel { get set }
  var actions: [Action] { get set }

  mutating func close(_ error: SessionError?)
}

protocol SessionAction {
  static func send(_ bytes: [UInt8]) -> Self
}

extension ClientAction: SessionAction {}
extension ServerAction: SessionAction {}

extension Session {
  /// Counts received bytes, which may have to be acknowledged.
  mutating func count(_ bytes: Int) throws(SessionError) {
    do throws(SyntaxError) {
      try channel.count(bytes)
    } catch {
      throw SessionError(error)
    }
  }

  /// Returns the next whole message; `nil` until more bytes come.
  mutating func nextMessage(_ bytes: Span<UInt8>, from position: inout Int) throws(SessionError)
    -> Message?
  {
    do throws(SyntaxError) {
      return try channel.reader.next(bytes, from: &position)
    } catch {
      throw SessionError(error)
    }
  }

  /// Sends something whose writing only a bug could prevent.
  mutating func perform(_ body: (inout MessageChannel) throws(SyntaxError) -> Void) {
    do throws(SyntaxError) {
      try body(&channel)
    } catch {
      close(SessionError(error))
    }
  }

  mutating func flush() {
    guard !channel.output.isEmpty else { return }
    actions.append(.send(channel.output))
    channel.output = []
  }

  mutating func flushed() -> [Action] {
    flush()
    let taken = actions
    actions = []
    return taken
  }
}
