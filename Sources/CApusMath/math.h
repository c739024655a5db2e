// SPDX-License-Identifier: MIT
// Powers and logarithms, by the C library of whatever system this is built for: the rooms that only calculate import this
// instead of one of the libraries, whose modules have a different name on every system.
#pragma once

#define APUS_SWIFT_NAME(name) __attribute__((swift_name(name)))

APUS_SWIFT_NAME("pow(_:_:)")
static inline double apus_pow(double base, double exponent) { return __builtin_pow(base, exponent); }

APUS_SWIFT_NAME("exp(_:)")
static inline double apus_exp(double exponent) { return __builtin_exp(exponent); }

APUS_SWIFT_NAME("exp2(_:)")
static inline double apus_exp2(double exponent) { return __builtin_exp2(exponent); }

APUS_SWIFT_NAME("exp2f(_:)")
static inline float apus_exp2f(float exponent) { return __builtin_exp2f(exponent); }

APUS_SWIFT_NAME("log(_:)")
static inline double apus_log(double value) { return __builtin_log(value); }

APUS_SWIFT_NAME("log2(_:)")
static inline double apus_log2(double value) { return __builtin_log2(value); }

APUS_SWIFT_NAME("log2f(_:)")
static inline float apus_log2f(float value) { return __builtin_log2f(value); }

APUS_SWIFT_NAME("log10(_:)")
static inline double apus_log10(double value) { return __builtin_log10(value); }

#undef APUS_SWIFT_NAME
