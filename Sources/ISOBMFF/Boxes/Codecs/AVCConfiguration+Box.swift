// SPDX-License-Identifier: MIT

public import AVC
public import ApusBytes

/// An AVC decoder configuration is the body of `avcC`, and of `avcE` for the enhancement layer of Dolby Vision.
extension AVCConfiguration: Box {
  public static let types: [FourCC] = ["avcC", "avcE"]
}
