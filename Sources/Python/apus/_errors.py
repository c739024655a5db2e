# SPDX-License-Identifier: MIT


class Error(Exception):
    """Why a photo could not be opened, decoded, converted or encoded.

    kind is one word: truncated, invalid, corrupt, incomplete (the file is damaged), unsupported, missing (a library is),
    limit, memory, io, misuse (the call was), nothing, cancelled. place says where in the file, such as
    'meta/iprp at byte 33', and offset is that byte; both may be None.
    """

    def __init__(self, kind, message, place=None, offset=None):
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.place = place
        self.offset = offset

    def __reduce__(self):
        return type(self), (self.kind, self.message, self.place, self.offset)

    @property
    def is_damage(self):
        """Whether the bytes of the file contradict a standard, or end too soon."""
        return self.kind in ("truncated", "invalid", "corrupt", "incomplete")
