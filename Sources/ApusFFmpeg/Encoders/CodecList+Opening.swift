// SPDX-License-Identifier: MIT

public import ApusMedia
internal import CApusFFmpeg

extension CodecList {
  /// Opens a device and closes it; returns the reason if that fails, `nil` if it works.
  ///
  /// - Parameters:
  ///   - kind: the library's name of the kind: `vaapi`.
  ///   - node: the path of the device; `nil` leaves the choice to the library.
  public func refusal(ofDevice kind: String, at node: String?) -> String? {
    do throws(MediaError) {
      _ = try CodecDevice(kind, at: node, of: self)
      return nil
    } catch {
      return error.message
    }
  }

  /// Opens an encoder for pictures in the memory of its device, or for others that it uploads itself, and closes it.
  ///
  /// - Parameter node: the path of the device; `nil` leaves the choice to the library.
  /// - Throws: the first failure.
  public func open(
    _ encoder: CodecFacts, onDeviceAt node: String?, width: Int, height: Int
  ) throws(MediaError) {
    let device = try CodecDevice(encoder.device, at: node, of: self)
    var refusal: MediaError?
    for way in try DeviceWay.all(encoder, on: device) {
      do throws(MediaError) {
        return try way.open(encoder.id, width: width, height: height)
      } catch {
        refusal = refusal ?? error
      }
    }
    throw refusal
      ?? MediaError(.unsupported, "\(encoder.id) has no use for the device \(encoder.device)")
  }
}
