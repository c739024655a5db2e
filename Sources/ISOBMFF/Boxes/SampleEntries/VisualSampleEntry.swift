// SPDX-License-Identifier: MIT

public import ApusBytes

/// Visual sample entry (`hvc1`, `avc1`, `av01`, `mp4v`, `encv` …): ISO/IEC 14496-12, 12.1.3.
public struct VisualSampleEntry: SampleEntry {
  public static let types: [FourCC] = [
    "hvc1", "hev1", "hvc2", "hev2", "hvc3", "hev3", "lhv1", "lhe1", "hvt1", "hvt2", "hvt3", "lht1",
    "dvh1", "dvhe", "dva1", "dvav", "dav1",
    "avc1", "avc2", "avc3", "avc4", "svc1", "svc2", "mvc1", "mvc2", "mvc3", "mvc4",
    "mvd1", "mvd2", "mvd3", "mvd4",
    "vvc1", "vvi1", "vvcN", "vvs1", "evc1", "evs1", "evs2", "av01", "apv1", "vp08", "vp09", "vp10",
    "avs3",
    "uncv", "j2ki", "mjp2", "jxsm", "encv", "resv", "icpv", "drmi",
    "mp4v", "s263", "h263", "jpeg", "mjpa", "mjpb", "png ", "tiff", "gif ", "rle ", "rpza",
    "cvid", "SVQ1", "SVQ3", "vc-1", "FFV1", "CFHD", "Hap1", "Hap5", "HapY", "AVdn", "AVdh", "icod",
    "apcn", "apch", "apcs", "apco", "ap4h", "ap4x", "aprn", "aprh",
    "2vuy", "yuv2", "v210", "v216", "v308", "v408", "v410", "r210", "b64a",
    "dvc ", "dvcp", "dvpp", "dv5n", "dv5p", "dvh5", "dvh6", "dvhp", "dvhq",
    "hdv1", "hdv2", "hdv3", "hdv4", "hdv5", "hdv6", "hdv7", "hdv8", "hdv9", "hdva",
    "xdv1", "xdv2", "xdv3", "xdv4", "xdv5", "xdv6", "xdv7", "xdv8", "xdv9", "xdva", "xdvb", "xdvc",
    "xdvd", "xdve", "xdvf", "xd54", "xd55", "xd59", "xd5a", "xd5b", "xd5c", "xd5d", "xd5e", "xd5f",
    "mx3n", "mx3p", "mx4n", "mx4p", "mx5n", "mx5p", "m2v1", "m1v ",
  ]
  public var start = SampleEntryStart()
  /// The version in QuickTime.
  public var preDefined1: UInt16 = 0
  /// The revision level in QuickTime.
  public var reserved1: UInt16 = 0
  /// The vendor, temporal quality and spatial quality in QuickTime.
  public var preDefined2: [UInt32] = [0, 0, 0]
  public var width: UInt16 = 0
  public var height: UInt16 = 0
  /// The resolution in pixels per inch, in 16.16 fixed point.
  public var horizontalResolution: UInt32 = 0x48_0000
  public var verticalResolution: UInt32 = 0x48_0000
  /// The data size in QuickTime.
  public var reserved2: UInt32 = 0
  public var frameCount: UInt16 = 1
  /// The compressor's name, a counted string in 32 bytes.
  public var compressorName = [UInt8](repeating: 0, count: 32)
  public var depth: UInt16 = 0x18
  /// The number of a colour table in QuickTime.
  public var preDefined3: Int16 = -1
  public var boxes: [Node] = []

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try start.syntax(&v)
    try v.u(16, "pre_defined", &preDefined1)
    try v.u(16, "reserved", &reserved1)
    try v.values(32, "pre_defined", &preDefined2, count: 3)
    try v.u(16, "width", &width)
    try v.u(16, "height", &height)
    try v.u(32, "horizresolution", &horizontalResolution, as: .fixed(16))
    try v.u(32, "vertresolution", &verticalResolution, as: .fixed(16))
    try v.u(32, "reserved", &reserved2)
    try v.u(16, "frame_count", &frameCount)
    try v.bytes("compressorname", &compressorName, count: 32, .countedText)
    try v.u(16, "depth", &depth)
    try v.i(16, "pre_defined", &preDefined3)
    try v.framed(&boxes, count: nil)
  }
}
