// SPDX-License-Identifier: MIT

package import ApusSamples
package import FLV

extension MediaDetails {
  /// The tags as members of `onMetaData`, with the names that FFmpeg writes and reads. A name with another meaning
  /// there is left out.
  package var flashTags: AMFObject {
    var object = AMFObject()
    for tag in tags
    where AMFObject.isTag(tag.name) && !Self.technical.contains(tag.name.lowercased()) {
      object[tag.name] = .string(AMFText(tag.value))
    }
    return object
  }
}
