// SPDX-License-Identifier: MIT

internal import ApusFFmpeg
internal import ApusFiles
internal import ApusMedia

/// The devices of one kind that can be opened.
///
/// Opening a device does not show what it can encode: an encoder has to be opened on it as well.
struct DeviceNodes {
  /// The paths; `nil` for the device that the library chooses.
  private(set) var nodes: [String?] = []
  /// The reason why there is none; `nil` if there is one.
  private(set) var refusal: String?

  /// - Parameter kind: the library's name of the kind: `vaapi`.
  init(_ kind: String) {
    do throws(MediaError) {
      let list = try CodecList()
      if kind == "vaapi" { refusal = "there is no /dev/dri/renderD*" }
      for node in kind == "vaapi" ? Self.renderNodes : [nil] {
        if let reason = list.refusal(ofDevice: kind, at: node) {
          refusal = node.map { "\($0): \(reason)" } ?? reason
        } else {
          nodes.append(node)
        }
      }
    } catch {
      refusal = error.message
    }
    if !nodes.isEmpty { refusal = nil }
  }

  /// The render nodes that exist, by the minor numbers that Linux assigns to them.
  private static var renderNodes: [String?] {
    (128..<192).map { "/dev/dri/renderD\($0)" }.filter(FileSystem.exists)
  }

  /// Opens an encoder on one of them, for pictures of the first size that it accepts.
  ///
  /// - Parameter size: the only size to be tried.
  func open(_ encoder: CodecFacts, size: (width: Int, height: Int)?) throws(MediaError) {
    let list = try CodecList()
    var refusal: MediaError?
    for node in nodes {
      for (width, height) in TrialMaterial.sizes(only: size) {
        do throws(MediaError) {
          return try list.open(encoder, onDeviceAt: node, width: width, height: height)
        } catch {
          refusal = refusal ?? error
        }
      }
    }
    throw refusal ?? MediaError(.missing, "there is no device")
  }
}
