// SPDX-License-Identifier: MIT

/// What requests have in common that take about as long.
struct ServeKind: Hashable, Sendable {
  /// The path or the verb.
  var route: String
  /// The parameters, and about how large the file is.
  var details: String

  init(_ route: String, _ parameters: [(name: String, value: String?)], bytes: Int) {
    self.route = route
    let words = parameters.map { "\($0.name)=\($0.value ?? "")" }.sorted()
    let size = Int.bitWidth - bytes.leadingZeroBitCount
    details = words.joined(separator: "&") + " \(size)"
  }
}

/// How long requests of each kind have taken lately.
struct ServeTimes: Sendable {
  private var kinds: [ServeKind: Double] = [:]
  private var routes: [String: Double] = [:]

  /// What a request is expected to take as long as none of its route was carried out.
  private static let assumed = 0.25
  /// The share of the newest time in a mean.
  private static let weight = 0.2
  /// How many kinds are remembered; then it begins anew, for clients may make up any number of them.
  private static let most = 512

  /// How many seconds a request of that kind is expected to take.
  func expected(_ kind: ServeKind) -> Double {
    kinds[kind] ?? routes[kind.route] ?? Self.assumed
  }

  mutating func add(_ seconds: Double, _ kind: ServeKind) {
    if kinds.count >= Self.most, kinds[kind] == nil { kinds = [:] }
    kinds[kind] = Self.mean(kinds[kind], seconds)
    routes[kind.route] = Self.mean(routes[kind.route], seconds)
  }

  private static func mean(_ mean: Double?, _ seconds: Double) -> Double {
    mean.map { $0 + (seconds - $0) * weight } ?? seconds
  }
}
