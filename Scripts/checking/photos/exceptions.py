# SPDX-License-Identifier: MIT
"""Photos that apus shows otherwise than libheif, by what they are, each with the reason.

A row is (what the file is, whether `facts` say so, why). `facts` has what libheif says of the file (`info`),
what apus says (`report`), and what the file holds (`words`).
"""

EXCEPTIONS = [
    (
        "PQ or HLG",
        lambda facts: facts.transfer in (16, 18),
        "tone mapped by default; libheif hands out the coded values (ITU-T H.273, table 3)",
    ),
]


def reason(facts):
    """Why these pictures need not agree; `None` if they must."""
    for _, applies, why in EXCEPTIONS:
        if applies(facts):
            return why
    return None
