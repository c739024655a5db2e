// SPDX-License-Identifier: MIT

internal import ApusBytes

/// The hosts to which a server may redirect a client (`NetConnection.Connect.ReconnectRequest`, or a redirect). The
/// client takes its key along, so a server that could name any host could give the key away.
public enum ReconnectPolicy: String, Sendable, CaseIterable {
  case no
  /// The same host, or a sibling: `a.live.example.org` for `b.live.example.org`.
  case sameDomain = "same-domain"
  case any

  /// The most redirects that one stream follows.
  public static let maxHops = 5

  /// Returns the address of a redirect; throws if the policy or good sense forbids it.
  func address(_ target: String?, from old: Address) throws(SessionError) -> Address {
    guard let target, !target.isEmpty else { return old }
    var new = old
    if target.holds("://") {
      let named = try Address(target, key: old.key)
      (new.scheme, new.host, new.port, new.app) = (named.scheme, named.host, named.port, named.app)
    } else {
      new.app = String(target.drop { $0 == "/" })
    }
    let words = "the server redirects to \(Printable.text(new.authority)), "
    guard self != .no else { throw SessionError(.refused, words + "but redirects are disabled") }
    guard old.scheme == .rtmp || new.scheme == .rtmps else {
      throw SessionError(.refused, words + "which is not encrypted, unlike this connection")
    }
    guard self == .any || Self.isBeside(new.host.lowercased(), old.host.lowercased()) else {
      throw SessionError(
        .refused,
        words + "another domain, which would get the stream key; allow it if you trust it")
    }
    return new
  }

  /// Returns whether hosts share all but their first label, and the shared part is not merely a suffix such as `co.uk`.
  private static func isBeside(_ new: String, _ old: String) -> Bool {
    if new == old { return true }
    let (new, old) = (new.split(separator: "."), old.split(separator: "."))
    guard let top = old.last, top.contains(where: \.isLetter), !top.contains(":") else {
      return false
    }
    let shared = zip(new.reversed(), old.reversed()).prefix { $0.0 == $0.1 }.count
    let isLong = old.count > 1 && old[old.count - 2].count > 3
    return shared >= max(isLong ? 2 : 3, max(new.count, old.count) - 1)
  }
}
