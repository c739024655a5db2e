// SPDX-License-Identifier: MIT

package import FLV
package import Flow

extension MediaDetails {
  /// The tags as members of `onMetaData`, by their names, as FFmpeg writes and reads them. A name that means something
  /// else there is left out.
  package var flashTags: AMFObject {
    var object = AMFObject()
    for tag in tags
    where AMFObject.isTag(tag.name) && !Self.technical.contains(tag.name.lowercased()) {
      object[tag.name] = .string(AMFText(tag.value))
    }
    return object
  }
}
