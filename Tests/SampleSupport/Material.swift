// SPDX-License-Identifier: MIT

public import ApusContainers
public import ApusMedia
internal import Synchronization

/// Hands bytes over in pieces of a size, as a pipe does.
public func pieces(of bytes: [UInt8], size: Int) -> PullBytes {
  let position = Mutex(0)
  return {
    let start = position.withLock { place in
      defer { place += size }
      return place
    }
    return start < bytes.count ? Array(bytes[start..<min(bytes.count, start + size)]) : nil
  }
}

extension MasteringDisplay {
  /// The display that `hdr10.mp4` was made for.
  public static let ofHDR10 = MasteringDisplay(
    red: .init(34000, 16000), green: .init(13250, 34500), blue: .init(7500, 3000),
    white: .init(15635, 16450), maximumLuminance: 10_000_000, minimumLuminance: 50)
}
