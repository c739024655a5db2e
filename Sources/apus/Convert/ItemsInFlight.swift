// SPDX-License-Identifier: MIT

import Synchronization

/// The photos that are being converted, by their names.
final class ItemsInFlight: Sendable {
  private let items = Mutex<[String: ConvertItem]>([:])

  func add(_ item: ConvertItem) { items.withLock { $0[item.name.path] = item } }

  func remove(_ name: String) -> ConvertItem? {
    items.withLock { $0.removeValue(forKey: name) }
  }
}
