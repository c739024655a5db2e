# SPDX-License-Identifier: MIT
"""Photos that apus shows otherwise than libheif, by what they are, each with the reason."""

# What the file is, whether it is that by what libheif, the report and the plan of apus say of it, and why the
# pictures differ.
EXCEPTIONS = [
    (
        "PQ or HLG",
        lambda info, warnings, plan: "tone mapped" in warnings,
        "is tone mapped; libheif hands out the coded values, which mean light by ITU-T H.273, table 3",
    ),
    (
        "a primary picture that is the thumbnail of another",
        lambda info, warnings, plan: not info["primary"],
        "`pitm` names it (ISO/IEC 14496-12, 8.11.4); libheif lists no thumbnails as pictures",
    ),
    (
        "a grid whose colours contradict those of its tiles' streams",
        lambda info, warnings, plan: "the item's values are used" in warnings,
        "`colr` of the item wins over the stream (ISO/IEC 23008-12, 6.5.5); libheif asks the stream",
    ),
    (
        "a picture that is predicted from others",
        lambda info, warnings, plan: any(len(source["samples"]) > 1 for source in plan["sources"]),
        "its bases (`pred`, ISO/IEC 23008-12, 6.4.9) are decoded first; libheif leaves them out",
    ),
]


def reason(info, report, plan):
    """Why these pictures need not agree; `None` if they must."""
    warnings = "; ".join(report["warnings"])
    for _, applies, why in EXCEPTIONS:
        if applies(info, warnings, plan):
            return why
    return None
