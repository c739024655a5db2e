// SPDX-License-Identifier: MIT

import ApusBytes
import TestSupport
import Testing

struct SpatialBoxTests {
  static let rows: [BoxRow] = [
    BoxRow(
      "vexu by hand from the ISOBMFF extensions of Apple",
      """
      0000009a 76657875 00000010 6d757374 00000000 65796573 00000052 65796573 0000000d
      73747269 00000000 0b000000 0d686572 6f000000 00020000 00186361 6d730000 0010626c
      696e0000 00000000 f8c40000 0018636d 66790000 00106461 646a0000 0000ffff ff380000
      00187072 6f6a0000 00107072 6a690000 00006865 71750000 00187061 636b0000 0010706b
      696e0000 00007369 6465
      """,
      [
        "must",
        "required_box_types[0]=eyes",
        "stri",
        "eye_views_reversed=1",
        "has_additional_views=0",
        "has_right_eye_view=1",
        "has_left_eye_view=1",
        "hero",
        "hero_eye_indicator=2",
        "blin",
        "baseline_value=63684",
        "dadj",
        "disparity_adjustment=-200",
        "prji",
        "projection_kind=hequ",
        "pkin",
        "view_packing_kind=side",
      ]),
    BoxRow(
      "hfov by hand from the ISOBMFF extensions of Apple", "0000000c 68666f76 0000f7a8",
      [
        "field_of_view=63400"
      ]),
    BoxRow(
      "st3d by hand from Spherical Video V2", "0000000d 73743364 00000000 02",
      [
        "stereo_mode=2"
      ]),
    BoxRow(
      "sv3d by hand from Spherical Video V2",
      """
      00000055 73763364 00000011 73766864 00000000 41707573 00000000 3c70726f 6a000000
      18707268 64000000 00ffa600 00000080 00000000 00000000 1c657175 69000000 00000000
      00800000 00400000 00000000 00
      """,
      [
        "svhd",
        "metadata_source=\"Apus\"",
        "prhd",
        "pose_yaw_degrees=-90",
        "pose_pitch_degrees=0.5",
        "equi",
        "projection_bounds_bottom=0.5",
        "projection_bounds_left=0.25",
      ]),
    BoxRow(
      "cbmp by hand from Spherical Video V2", "00000014 63626d70 00000000 00000000 00000010",
      [
        "layout=0",
        "padding=16",
      ]),
  ]

  @Test(arguments: rows) func `it reads writes and survives`(_ row: BoxRow) throws {
    try check(row)
  }
}
