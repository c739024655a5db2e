# SPDX-License-Identifier: MIT
"""The pictures of a file: its items in their own right, or the frames of an image sequence."""

from __future__ import annotations

import warnings
from typing import Any, Dict, List, Optional, Tuple

from ._errors import Error
from ._items import Item, Items, exif_in, type_of
from ._photo import Photo
from ._types import Shape


class Picture:
    """A picture of a file. options select it in calls of the photo."""

    def __init__(self, photo: Photo, items: Items, item: Optional[Item], options: Dict[str, Any]) -> None:
        self.photo, self.items, self.item, self.options = photo, items, item, options
        self.is_primary = not options

    def layout(self, **further: Any) -> Shape:
        """Returns width, height, mode and bits of the samples. A picture that is damaged is found out when it is decoded."""
        try:
            return self.photo.layout(**self.options, **further)
        except Error as error:
            if not error.is_damage:
                raise
            return self.photo.layout(**{**self.options, **further, "salvage": True})

    @property
    def bit_depth(self) -> int:
        """Bits of a coded sample."""
        return self.items.bit_depth(self.item) if self.item is not None else self.layout()[3]

    def info(self) -> Dict[str, Any]:
        """Returns facts and metadata by the names of pillow_heif, except other pictures than thumbnails."""
        info: Dict[str, Any] = {"primary": self.is_primary, "bit_depth": self.bit_depth, "exif": None, "metadata": [],
                                "thumbnails": []}
        if self.item is None:
            return info
        info["thumbnails"] = [max(size) for _, size in self.thumbnails()]
        self._add_metadata(self.item, info)
        info.update(self.items.further(self.item))
        if tiling := self.items.tiling(self.item):
            info["tiling"] = tiling
        if chroma := self.items.chroma(self.item):
            info["chroma"] = chroma
        self._add_colours(self.item, info)
        return info

    def thumbnails(self) -> List[Tuple[Item, Tuple[int, int]]]:
        """Returns the thumbnails with their sizes, except those that cannot be decoded."""
        found: List[Tuple[Item, Tuple[int, int]]] = []
        for item in self.items.thumbnails(self.item) if self.item is not None else []:
            try:
                found.append((item, self.photo.layout(item=item.id)[:2]))
            except Error:
                continue
        return found

    def _add_metadata(self, item: Item, info: Dict[str, Any]) -> None:
        exif, xmp = (self.photo.exif, self.photo.xmp) if self.is_primary else (None, None)
        known = {"Exif": exif, "application/rdf+xml": xmp}
        wanted = [one for one in self.items.metadata(item) if not known.get(one.content_type or one.type)]
        try:
            payloads = self.items.payloads(wanted)
        except Error as error:
            warnings.warn(f"metadata of a picture are left out: {error}", stacklevel=6)
            payloads = {}
        if exif is not None:
            info["exif"] = b"Exif\0\0" + exif
        for one in wanted:
            data = payloads.get(one.id)
            if data is None:
                continue
            if one.type == "Exif":
                info["exif"] = info["exif"] or exif_in(data)
            elif one.content_type == "application/rdf+xml":
                xmp = xmp or data
            else:
                info["metadata"].append({"type": type_of(one.type), "content_type": one.content_type, "data": data})
        if xmp is not None:
            info["xmp"] = xmp

    def _add_colours(self, item: Item, info: Dict[str, Any]) -> None:
        colours = self.items.colours(item)
        profile = self._profile(item, "icc_profile_type" in colours)
        if profile is not None:
            info["icc_profile"] = profile
        info.update(colours)

    def _profile(self, item: Item, has_profile: bool) -> Optional[bytes]:
        if self.is_primary:
            return self.photo.icc
        primary = self.items.items.get(self.items.primary)
        if primary is not None and _profile_place(primary) == _profile_place(item):
            return self.photo.icc
        if not has_profile:
            return None
        try:
            return Photo(self.photo.convert(format="png", max_size=1, **self.options)).icc
        except Error:
            return None


def _profile_place(item: Item) -> Optional[int]:
    return next((box["offset"] for box in item.properties if box["type"] == "colr" and box.get("colour_type") != "nclx"), None)


def pictures(photo: Photo, **tolerance: Any) -> Tuple[List[Picture], int]:
    """Returns the pictures of a photo in the order of the file, and the index of the primary one."""
    items = Items(photo)
    shown = items.pictures()
    if len(shown) < 2 and (frames := photo.frames if "moov" in items.boxes else []):
        if len(frames) > 1:
            return [Picture(photo, items, None, {"frame": frame.number}) for frame in frames], 0
    found: List[Picture] = []
    for item in shown:
        picture = Picture(photo, items, item, {} if item.id == items.primary else {"item": item.id})
        try:
            if not picture.is_primary:
                picture.layout(**tolerance)
        except Error as error:
            warnings.warn(f"a picture other than the primary one is left out: {error}", stacklevel=4)
            continue
        found.append(picture)
    primary = next((index for index, picture in enumerate(found) if picture.is_primary), None)
    if primary is None:
        # Of a file without items, or without the item that it calls the primary one.
        found.insert(0, Picture(photo, items, shown[0] if shown and not found else None, {}))
        primary = 0
    return found, primary
