# SPDX-License-Identifier: MIT
"""Numbers with the names that pillow_heif gives them."""

from enum import IntEnum


class HeifColorPrimaries(IntEnum):
    """The primaries of colours: ITU-T H.273, 8.1."""

    ITU_R_BT_709_5 = 1
    UNSPECIFIED = 2
    ITU_R_BT_470_6_SYSTEM_M = 4
    ITU_R_BT_470_6_SYSTEM_B_G = 5
    ITU_R_BT_601_6 = 6
    SMPTE_240M = 7
    GENERIC_FILM = 8
    ITU_R_BT_2020_2_AND_2100_0 = 9
    SMPTE_ST_428_1 = 10
    SMPTE_RP_431_2 = 11
    SMPTE_EG_432_1 = 12
    EBU_TECH_3213_E = 22


class HeifTransferCharacteristics(IntEnum):
    """The transfer functions: ITU-T H.273, 8.2."""

    ITU_R_BT_709_5 = 1
    UNSPECIFIED = 2
    ITU_R_BT_470_6_SYSTEM_M = 4
    ITU_R_BT_470_6_SYSTEM_B_G = 5
    ITU_R_BT_601_6 = 6
    SMPTE_240M = 7
    LINEAR = 8
    LOGARITHMIC_100 = 9
    LOGARITHMIC_100_SQRT10 = 10
    IEC_61966_2_4 = 11
    ITU_R_BT_1361 = 12
    IEC_61966_2_1 = 13
    ITU_R_BT_2020_2_10BIT = 14
    ITU_R_BT_2020_2_12BIT = 15
    ITU_R_BT_2100_0_PQ = 16
    SMPTE_ST_428_1 = 17
    ITU_R_BT_2100_0_HLG = 18


class HeifMatrixCoefficients(IntEnum):
    """The matrices: ITU-T H.273, 8.3."""

    RGB_GBR = 0
    ITU_R_BT_709_5 = 1
    UNSPECIFIED = 2
    US_FCC_T47 = 4
    ITU_R_BT_470_6_SYSTEM_B_G = 5
    ITU_R_BT_601_6 = 6
    SMPTE_240M = 7
    YCGCO = 8
    ITU_R_BT_2020_2_NON_CONSTANT_LUMINANCE = 9
    ITU_R_BT_2020_2_CONSTANT_LUMINANCE = 10
    SMPTE_ST_2085 = 11
    CHROMATICITY_DERIVED_NON_CONSTANT_LUMINANCE = 12
    CHROMATICITY_DERIVED_CONSTANT_LUMINANCE = 13
    ICTCP = 14


class HeifDepthRepresentationType(IntEnum):
    """The meaning of depth samples: ISO/IEC 23008-2, F.14.3.3."""

    UNIFORM_INVERSE_Z = 0
    UNIFORM_DISPARITY = 1
    UNIFORM_Z = 2
    NON_UNIFORM_DISPARITY = 3
