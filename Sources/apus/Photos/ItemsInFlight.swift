// SPDX-License-Identifier: MIT

import Files
import Synchronization

/// The photos that are being converted, by the bytes of their names: to Swift two spellings of an accent are one text.
final class ItemsInFlight: Sendable {
  private let items = Mutex<[[UInt8]: ConvertItem]>([:])

  func add(_ item: ConvertItem) { items.withLock { $0[FileName.bytes(of: item.name.path)] = item } }

  func remove(_ name: String) -> ConvertItem? {
    items.withLock { $0.removeValue(forKey: FileName.bytes(of: name)) }
  }
}
