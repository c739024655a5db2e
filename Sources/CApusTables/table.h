// SPDX-License-Identifier: MIT
// Tables of functions that are looked up in libraries, for lists such as `#define LIST(F) F(one) F(two)`.
#pragma once

// Only the tables state which pointers are never NULL.
#pragma clang diagnostic ignored "-Wnullability-completeness"

// Never changed after it is filled, so that threads may share it.
#define APUS_TABLE __attribute__((swift_attr("@Sendable")))
#define APUS_TABLE_BEGIN _Pragma("clang assume_nonnull begin")
#define APUS_TABLE_END _Pragma("clang assume_nonnull end")
#define APUS_POINTER(name) __typeof__(name) *name;
#define APUS_NAME(name) #name " "
