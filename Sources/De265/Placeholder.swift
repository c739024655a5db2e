// SPDX-License-Identifier: MIT

/// Holds the place until the room is furnished.
enum De265Placeholder {}
