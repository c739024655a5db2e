# SPDX-License-Identifier: MIT
"""The items of a HEIF file and their properties, as `apus inspect` prints them."""

from __future__ import annotations

import re
import struct
from typing import Any, Dict, Iterator, List, Optional, Set, Tuple

from ._errors import Error
from ._photo import Photo
from ._types import Facts

_ALPHA = {"urn:mpeg:hevc:2015:auxid:1", "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha"}
_DEPTH = {"urn:mpeg:hevc:2015:auxid:2", "urn:mpeg:mpegB:cicp:systems:auxiliary:depth"}
_PICTURES = {"hvc1", "hev1", "lhv1", "avc1", "av01", "jpeg", "grid", "iovl", "iden"}
#: Apple's forms of the boxes with the matrices of a camera.
_APPLE = {"22cc04c7-d6d9-4e07-9d90-4eb6ecbaf3a3": "cmin", "4363e914-5b7d-4aab-97ae-bea69803b434": "cmex"}
_CHROMA = {1: 420, 2: 422, 3: 444}
#: The chromaticities of red, green, blue and white by the number of primaries: ITU-T H.273, table 2.
_PRIMARIES = {
    1: (0.64, 0.33, 0.30, 0.60, 0.15, 0.06, 0.3127, 0.3290), 4: (0.67, 0.33, 0.21, 0.71, 0.14, 0.08, 0.310, 0.316),
    5: (0.64, 0.33, 0.29, 0.60, 0.15, 0.06, 0.3127, 0.3290), 6: (0.63, 0.34, 0.31, 0.595, 0.155, 0.07, 0.3127, 0.3290),
    7: (0.63, 0.34, 0.31, 0.595, 0.155, 0.07, 0.3127, 0.3290), 8: (0.681, 0.319, 0.243, 0.692, 0.145, 0.049, 0.310, 0.316),
    9: (0.708, 0.292, 0.170, 0.797, 0.131, 0.046, 0.3127, 0.3290), 10: (1, 0, 0, 1, 0, 0, 1 / 3, 1 / 3),
    11: (0.68, 0.32, 0.265, 0.69, 0.15, 0.06, 0.314, 0.351), 12: (0.68, 0.32, 0.265, 0.69, 0.15, 0.06, 0.3127, 0.3290),
    22: (0.63, 0.34, 0.295, 0.605, 0.155, 0.077, 0.3127, 0.3290)}


class Item:
    """An entry of `iinf` with the properties and the references that belong to it."""

    def __init__(self, entry: Facts) -> None:
        self.id: int = entry["item_ID"]
        self.type: str = entry.get("item_type", "mime")
        self.content_type: str = entry.get("content_type", "")
        self.is_hidden = bool(entry["flags"] & 1)
        self.properties: List[Facts] = []
        self.references: Dict[str, List[int]] = {}

    def property(self, kind: str) -> Optional[Facts]:
        """Returns the first property of a type."""
        return next((box for box in self.properties if box["type"] == kind), None)


class Items:
    """The items of a file; none if the file has no `meta`."""

    def __init__(self, photo: Photo) -> None:
        self._photo = photo
        self.items: Dict[int, Item] = {}
        self.primary = 0
        self.groups: List[Facts] = []
        self._referrers: Dict[Tuple[int, str], List[int]] = {}
        self._data = ""
        self._in_data: Dict[int, Facts] = {}
        #: The types of the boxes that the file consists of.
        self.boxes: Set[str] = set()
        try:
            boxes = photo.facts("inspect")["boxes"]
        except Error:
            return
        self.boxes = {box["type"] for box in boxes}
        self._read(next((box for box in boxes if box["type"] == "meta"), {}))

    def _read(self, meta: Facts) -> None:
        found = {box["type"]: box for box in meta.get("boxes", [])}
        for box in _children(found.get("iinf")):
            entry = {**_fields(box), "flags": box.get("flags", 0)}
            if "item_ID" in entry:
                self.items.setdefault(entry["item_ID"], Item(entry))
        self.primary = _fields(found.get("pitm")).get("item_ID", 0)
        self._data = _fields(found.get("idat")).get("data") or ""
        for place in _fields(found.get("iloc")).get("items") or []:
            if place.get("construction_method") == 1:
                self._in_data[place["item_ID"]] = place
        self._read_references(found.get("iref"))
        self._read_properties(found.get("iprp"))
        for box in _children(found.get("grpl")):
            group = _fields(box)
            if "group_id" in group:
                self.groups.append({"id": group["group_id"], "type": box["type"], "entities": group["entity_id"]})

    def _read_references(self, box: Optional[Facts]) -> None:
        for child in _children(box):
            reference = _fields(child)
            source = self.items.get(reference.get("from_item_ID", 0))
            if source is not None:
                source.references.setdefault(child["type"], []).extend(reference["to_item_ID"])
                for target in reference["to_item_ID"]:
                    self._referrers.setdefault((target, child["type"]), []).append(source.id)

    def _read_properties(self, box: Optional[Facts]) -> None:
        boxes: List[Facts] = []
        for child in _children(box):
            if child["type"] == "ipco":
                boxes = [_property(one) for one in _children(child)]
        for child in _children(box):
            for entry in _fields(child).get("entries") or []:
                item = self.items.get(entry["item_ID"])
                for association in entry["associations"]:
                    index = association["property_index"]
                    if item is not None and 0 < index <= len(boxes):
                        item.properties.append(boxes[index - 1])

    def referrers(self, item: int, kind: str) -> List[Item]:
        """Returns the items that refer to an item."""
        return [self.items[source] for source in self._referrers.get((item, kind), [])]

    def pictures(self) -> List[Item]:
        """Returns the pictures in their own right, in the order of the file."""
        return [item for item in self.items.values() if item.id == self.primary or self._is_shown(item)]

    def _is_shown(self, item: Item) -> bool:
        primary = self.items.get(self.primary)
        is_small = "thmb" in item.references or primary is not None and item.id in primary.references.get("thmb", [])
        return (item.type in _PICTURES and not item.is_hidden and not is_small and "auxl" not in item.references
                and not any(user.type != "iovl" for user in self.referrers(item.id, "dimg")))

    def coded(self, item: Item) -> Item:
        """Returns the item itself, or the first that it is made of."""
        for _ in range(8):
            inputs = item.references.get("dimg")
            if not inputs or inputs[0] not in self.items:
                break
            item = self.items[inputs[0]]
        return item

    def bit_depth(self, item: Item) -> int:
        """Returns the bits of a coded sample."""
        record = self.coded(item).property("hvcC")
        if record is not None and "bit_depth_luma_minus8" in record:
            return int(record["bit_depth_luma_minus8"]) + 8
        pixels = self.coded(item).property("pixi") or item.property("pixi")
        return int(pixels["bits_per_channel"][0]) if pixels else 8

    def chroma(self, item: Item) -> Optional[int]:
        """Returns 420, 422 or 444; None for gray."""
        record = self.coded(item).property("hvcC") or {}
        return _CHROMA.get(record.get("chroma_format_idc", 0))

    def thumbnails(self, item: Item) -> List[Item]:
        """Returns the thumbnails of a picture."""
        # Some writers reverse the reference.
        reversed_ = [self.items[one] for one in item.references.get("thmb", []) if one in self.items] \
            if item.id == self.primary else []
        return self.referrers(item.id, "thmb") or reversed_

    def auxiliaries(self, item: Item) -> Iterator[Tuple[Item, str]]:
        """Returns the auxiliary pictures of a picture with their URNs."""
        for auxiliary in self.referrers(item.id, "auxl"):
            kind = auxiliary.property("auxC")
            if kind is not None and auxiliary.type in _PICTURES:
                yield auxiliary, kind["aux_type"]

    def depth_maps(self, item: Item) -> List[Item]:
        """Returns the depth maps of a picture."""
        return [auxiliary for auxiliary, urn in self.auxiliaries(item) if urn in _DEPTH]

    def others(self, item: Item) -> Dict[str, List[int]]:
        """Returns the auxiliary pictures that are neither alpha nor depth, as IDs by URN."""
        found: Dict[str, List[int]] = {}
        for auxiliary, urn in self.auxiliaries(item):
            if urn not in _ALPHA | _DEPTH:
                found.setdefault(urn, []).append(auxiliary.id)
        return found

    def is_premultiplied(self, item: Item) -> bool:
        """Returns whether colours are multiplied with the alpha."""
        return "prem" in item.references

    def transformations(self, item: Item) -> Tuple[Tuple[Any, ...], ...]:
        """Returns the cropping, rotating and mirroring of an item, in order: the samples that clap cuts off on the left, on
        top, on the right and below, and the size before; degrees anticlockwise; the axis."""
        found: List[Tuple[Any, ...]] = []
        size = item.property("ispe")
        for box in item.properties:
            if box["type"] == "clap" and size is not None:
                found.append(("clap", *_cut(box, size["image_width"], size["image_height"])))
            elif box["type"] == "irot" and box["angle"]:
                found.append(("irot", 90 * box["angle"]))
            elif box["type"] == "imir":
                found.append(("imir", box["axis"]))
        return tuple(found)

    def tiling(self, item: Item) -> Optional[Dict[str, int]]:
        """Returns the grid of a picture as it is seen; None for one that is coded whole."""
        inputs, size = item.references.get("dimg", []), item.property("ispe")
        tile = self.items[inputs[0]].property("ispe") if inputs and inputs[0] in self.items else None
        if item.type != "grid" or len(inputs) < 2 or size is None or tile is None:
            return None
        sides = [size["image_width"], size["image_height"]]
        tiles = [tile["image_width"], tile["image_height"]]
        counts = self._grid(item) or [-(-side // part) for side, part in zip(sides, tiles)]
        if any(kind == "irot" and turn % 180 for kind, turn in (one[:2] for one in self.transformations(item))):
            sides, tiles, counts = sides[::-1], tiles[::-1], counts[::-1]
        return {"num_columns": counts[0], "num_rows": counts[1], "tile_width": tiles[0], "tile_height": tiles[1],
                "image_width": sides[0], "image_height": sides[1]}

    def _grid(self, item: Item) -> Optional[List[int]]:
        """Returns the columns and rows that the data of a grid say."""
        place = self._in_data.get(item.id)
        if place is None or len(place["extents"]) != 1:
            return None
        start = place["base_offset"] + place["extents"][0]["extent_offset"]
        data = bytes.fromhex(self._data)[start:start + 4]
        return [data[3] + 1, data[2] + 1] if len(data) == 4 else None

    def colours(self, item: Item) -> Dict[str, Any]:
        """Returns the code points and the kind of the profile, by the names of pillow_heif."""
        found: Dict[str, Any] = {}
        # Some writers give them to the tiles alone.
        for box in [*item.properties, *(self.coded(item).properties if item.type == "grid" else [])]:
            if box["type"] == "colr" and box.get("colour_type") == "nclx":
                found.setdefault("nclx_profile", _code_points(box))
            elif box["type"] == "colr" and box.get("colour_type") in ("prof", "rICC"):
                found.setdefault("icc_profile_type", box["colour_type"])
        return found

    def further(self, item: Item) -> Dict[str, Any]:
        """Returns the shape of pixels, what is known about light, and the camera, by the names of pillow_heif."""
        found: Dict[str, Any] = {}
        for box in item.properties:
            read = _PROPERTIES.get(box["type"])
            if read is not None:
                found.setdefault(read[0], read[1](box))
        camera = self._camera(item)
        return {**found, "heif": camera} if camera else found

    def _camera(self, item: Item) -> Dict[str, Any]:
        camera: Dict[str, Any] = {}
        size, inner, outer = item.property("ispe"), item.property("cmin"), item.property("cmex")
        if inner is not None and size is not None:
            scale, width, height = 1 << (inner["flags"] >> 8 & 31), size["image_width"], size["image_height"]
            across = inner["focal_length_x"] * width / scale
            camera["camera_intrinsic_matrix"] = {
                "focal_length_x": across,
                "focal_length_y": inner["focal_length_y"] * height / scale if "focal_length_y" in inner else across,
                "principal_point_x": inner["principal_point_x"] * width / scale,
                "principal_point_y": inner["principal_point_y"] * height / scale,
                "skew": inner.get("skew_factor", 0) / (1 << (inner["flags"] >> 16 & 31))}
        if outer is not None:
            camera["camera_extrinsic_matrix_rot"] = _rotation(outer)
        return camera

    def metadata(self, item: Item) -> List[Item]:
        """Returns the items that describe a picture."""
        return [one for one in self.referrers(item.id, "cdsc") if one.type not in _PICTURES]

    def payloads(self, items: List[Item]) -> Dict[int, bytes]:
        """Returns the data of items, as they are stored."""
        if not items:
            return {}
        files, _ = self._photo.make_files("extract", item=[item.id for item in items], raw=True)
        return {int(name.rpartition("-")[2]): data for name, ending, data in files if ending != "hvcc"}

    def depth_numbers(self, item: Item) -> Optional[Dict[str, Any]]:
        """Returns what the samples of a depth map stand for, by the names of pillow_heif: ISO/IEC 23008-2, F.14.3.3."""
        kind = item.property("auxC") or {}
        message = bytes.fromhex(kind.get("aux_subtype") or "")
        return _DepthMessage(message).facts if len(message) > 12 else None


class _DepthMessage:
    """A message with the meaning of depth samples, in the bytes after the URN of auxC."""

    def __init__(self, subtype: bytes) -> None:
        # Two lengths, the header of a NAL unit, and the type and the size of the message.
        data = subtype[12:].replace(b"\0\0\3", b"\0\0")
        self._bits = "".join(f"{byte:08b}" for byte in data)
        self.facts: Optional[Dict[str, Any]] = None
        try:
            self.facts = self._read()
        except (ValueError, IndexError):
            pass

    def _read(self) -> Dict[str, Any]:
        names = [name for name in ("z_near", "z_far", "d_min", "d_max") if self._take(1)]
        facts: Dict[str, Any] = {"representation_type": self._code()}
        if "d_min" in names or "d_max" in names:
            facts["disparity_reference_view"] = self._code()
        facts.update({name: self._number() for name in names})
        facts["nonlinear_representation_model_size"] = self._code() + 1 if facts["representation_type"] == 3 else 0
        return facts

    def _take(self, count: int) -> int:
        taken, self._bits = self._bits[:count], self._bits[count:]
        return int(taken, 2)

    def _code(self) -> int:
        zeros = self._bits.index("1")
        return self._take(2 * zeros + 1) - 1

    def _number(self) -> float:
        sign, exponent, length = self._take(1), self._take(7), self._take(5) + 1
        mantissa = self._take(length)
        value = (1 + mantissa / 2 ** length) * 2.0 ** (exponent - 31) if exponent else mantissa / 2.0 ** (30 + length)
        return -value if sign else value


def _children(box: Optional[Facts]) -> List[Facts]:
    children: List[Facts] = (box or {}).get("boxes", [])
    return children


def _fields(box: Optional[Facts]) -> Facts:
    return {field["name"]: field["value"] for field in (box or {}).get("fields", [])}


def _property(box: Facts) -> Facts:
    fields = {"type": box["type"], "flags": box.get("flags", 0), "offset": box["offset"], **_fields(box)}
    kind = _APPLE.get(box.get("uuid", ""))
    if kind is None:
        return fields
    data = bytes.fromhex(fields.get("data") or "")
    flags, numbers = int.from_bytes(data[1:4], "big"), [value for value, in struct.iter_unpack(">i", data[4:len(data) & ~3])]
    names = ["focal_length_x", "principal_point_x", "principal_point_y", "focal_length_y", "skew_factor"] if kind == "cmin" else [
        name for bit, name in enumerate(("pos_x", "pos_y", "pos_z")) if flags >> bit & 1]
    return {"type": kind, "flags": flags, "offset": box["offset"], **dict(zip(names, numbers))}


def _cut(box: Facts, width: int, height: int) -> Tuple[int, int, int, int, int, int]:
    def sides(length: int, kept: float, offset: float) -> Tuple[int, int]:
        before = offset + (length - kept) / 2
        return round(before), round(length - kept - before)
    across = sides(width, box["cleanApertureWidthN"] / box["cleanApertureWidthD"], box["horizOffN"] / box["horizOffD"])
    down = sides(height, box["cleanApertureHeightN"] / box["cleanApertureHeightD"], box["vertOffN"] / box["vertOffD"])
    return across[0], down[0], across[1], down[1], width, height


def _code_points(box: Facts) -> Dict[str, Any]:
    points: Dict[str, Any] = {
        "color_primaries": box["colour_primaries"], "transfer_characteristics": box["transfer_characteristics"],
        "matrix_coefficients": box["matrix_coefficients"], "full_range_flag": box["full_range_flag"]}
    places = [f"color_primary_{colour}_{axis}" for colour in ("red", "green", "blue", "white") for axis in "xy"]
    known = _PRIMARIES.get(box["colour_primaries"], (0.0,) * 8)
    # As numbers of 32 bits.
    points.update(zip(places, struct.unpack("8f", struct.pack("8f", *known))))
    return points


def _display(box: Facts) -> Dict[str, Any]:
    primaries = box["display_primaries"]
    return {"display_primaries_x": tuple(one["x"] for one in primaries),
            "display_primaries_y": tuple(one["y"] for one in primaries),
            **{name: box[name] for name in ("white_point_x", "white_point_y", "max_display_mastering_luminance",
                                            "min_display_mastering_luminance")}}


#: The names of pillow_heif for properties, and their values.
_PROPERTIES: Dict[str, Tuple[str, Any]] = {
    "pasp": ("pixel_aspect_ratio", lambda box: (box["hSpacing"], box["vSpacing"])),
    "clli": ("content_light_level", lambda box: {
        name: box[name] for name in ("max_content_light_level", "max_pic_average_light_level")}),
    "mdcv": ("mastering_display_colour_volume", _display),
    "amve": ("ambient_viewing_environment", lambda box: {
        "ambient_illumination": box["ambient_illuminance"], "ambient_light_x": box["ambient_light_x"],
        "ambient_light_y": box["ambient_light_y"]}),
    "ndwt": ("nominal_diffuse_white_luminance", lambda box: box["diffuse_white_luminance"]),
}


def _rotation(box: Facts) -> Tuple[float, ...]:
    """Returns the rows of the matrix of a unit quaternion, whose real part is not stored."""
    scale = 1 << 30 if box["flags"] & 16 else 1 << 14
    x, y, z = (box.get(f"quat_{axis}", 0) / scale for axis in "xyz")
    w = max(1 - x * x - y * y - z * z, 0) ** 0.5
    return (1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w),
            2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w),
            2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y))


def properties(info: Facts) -> List[str]:
    """Returns the boxes of what an info says about the shape of pixels and about light, as hexadecimal digits."""
    made: List[Tuple[bytes, bytes]] = []
    if shape := info.get("pixel_aspect_ratio"):
        made.append((b"pasp", struct.pack(">II", *shape)))
    if level := info.get("content_light_level"):
        made.append((b"clli", struct.pack(">HH", level["max_content_light_level"], level["max_pic_average_light_level"])))
    if display := info.get("mastering_display_colour_volume"):
        points = [one for pair in zip(display["display_primaries_x"], display["display_primaries_y"]) for one in pair]
        made.append((b"mdcv", struct.pack(
            ">8HII", *points, display["white_point_x"], display["white_point_y"],
            display["max_display_mastering_luminance"], display["min_display_mastering_luminance"])))
    if light := info.get("ambient_viewing_environment"):
        made.append((b"amve", struct.pack(
            ">IHH", light["ambient_illumination"], light["ambient_light_x"], light["ambient_light_y"])))
    if (white := info.get("nominal_diffuse_white_luminance")) is not None:
        made.append((b"ndwt", struct.pack(">II", 0, white)))
    return [(struct.pack(">I", 8 + len(body)) + kind + body).hex() for kind, body in made]


def exif_in(payload: bytes) -> bytes:
    """Returns the Exif in the data of an item as pillow_heif gives it, with its name before the header of TIFF; other data
    are left unchanged."""
    if len(payload) < 4:
        return payload
    skipped, = struct.unpack_from(">I", payload)
    exif = payload[4 + skipped:]
    return b"Exif\0\0" + exif if exif[:4] in (b"II*\0", b"MM\0*") else payload[4:]


def type_of(text: str) -> str:
    """Returns a type of an item in Latin-1; other bytes are escaped by `apus inspect`."""
    return re.sub(r"\\x([0-9a-f]{2})", lambda found: chr(int(found[1], 16)), text)
