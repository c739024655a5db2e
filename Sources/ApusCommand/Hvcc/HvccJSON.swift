// SPDX-License-Identifier: MIT

import Bytes
import Records

/// A record as JSON, every field by its name in the standard; Schemas/hvcc.schema.json describes it.
struct HvccJSON {
  func write<Output: TextOutputStream>(
    _ found: any ShownRecord, file: String, to json: inout JSONWriter<Output>
  ) throws {
    try json.object { json throws in
      json.field("source", file)
      if !found.path.isEmpty { json.field("path", found.path) }
      if let offset = found.offset { json.field("offset", offset) }
      json.key("used_by")
      json.array { json in for user in found.users { json.value(user.description) } }
      json.key("entry")
      if let entry = found.entryType { json.value(entry.description) } else { json.null() }
      if let original = found.originalType { json.field("original_format", original.description) }
      json.field("codec_string", found.codecString)
      let supplemental = found.supplementalCodecStrings
      if !supplemental.isEmpty {
        json.key("supplemental_codec_strings")
        json.array { json in for string in supplemental { json.value(string) } }
      }
      json.field("size", found.bytes.count)
      json.field("bytes", Field.hex(found.bytes))
      try write(found.view(), to: &json)
      guard let layer = try found.layer() else { return }
      json.key("lhvC")
      try json.object { json throws in
        if let offset = layer.offset { json.field("offset", offset) }
        json.field("size", layer.bytes.count)
        json.field("bytes", Field.hex(layer.bytes))
        try write(layer.view, to: &json)
      }
    }
  }

  private func write<Output: TextOutputStream>(
    _ view: RecordView, to json: inout JSONWriter<Output>
  ) throws {
    let values = InspectJSON(isFull: true)
    json.key("fields")
    try values.writeObject(of: view.fields + view.arrays.flatMap(\.preceding), to: &json)
    json.key("arrays")
    try json.array { json throws in
      for array in view.arrays {
        try json.object { json throws in
          if let isComplete = array.isComplete {
            json.field("array_completeness", isComplete ? 1 : 0)
          }
          json.field("NAL_unit_type", array.type)
          json.field("name", array.name)
          json.key("nalus")
          try json.array { json throws in
            for unit in array.units { try write(unit, values, to: &json) }
          }
        }
      }
    }
  }

  private func write<Output: TextOutputStream>(
    _ unit: RecordView.UnitView, _ values: InspectJSON, to json: inout JSONWriter<Output>
  ) throws {
    try json.object { json throws in
      json.field("size", unit.bytes.count)
      json.field("hex", Field.hex(unit.bytes))
      json.key("syntax")
      try values.writeObject(of: unit.fields, to: &json)
      if let failure = unit.failure { json.field("failure", failure.description) }
    }
  }
}
