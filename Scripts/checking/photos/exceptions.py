# SPDX-License-Identifier: MIT
"""Photos that apus shows otherwise than libheif, by what they are, each with the reason."""

# What the file is, whether it is that by what libheif and apus say of it, and why the pictures differ.
EXCEPTIONS = [
    (
        "PQ or HLG",
        lambda info, warnings: "tone mapped" in warnings,
        "is tone mapped; libheif hands out the coded values, which mean light by ITU-T H.273, table 3",
    ),
    (
        "a primary picture that is the thumbnail of another",
        lambda info, warnings: not info["primary"],
        "`pitm` names it (ISO/IEC 14496-12, 8.11.4); libheif lists no thumbnails as pictures",
    ),
]


def reason(info, report):
    """Why these pictures need not agree; `None` if they must."""
    warnings = "; ".join(report["warnings"])
    for _, applies, why in EXCEPTIONS:
        if applies(info, warnings):
            return why
    return None
