// SPDX-License-Identifier: MIT
// What the shim of Sources/CApusX265 touches, as the builds of x265 declare it. Nothing of it is ever called.
#pragma once

#include <stdint.h>

typedef struct x265_param { int bit_depth; } x265_param;
typedef struct x265_picture { int bit_depth; } x265_picture;
typedef struct x265_encoder x265_encoder;
typedef struct x265_nal x265_nal;

// 4.0 hands out a list of layers; versions before and after it hand out one picture, or several in a row.
#if X265_BUILD >= 210 && X265_BUILD < 213
#define MAX_SCALABLE_LAYERS 1
typedef x265_picture **x265_output;
#else
typedef x265_picture *x265_output;
#endif

typedef struct x265_api {
    int sizeof_param, sizeof_picture, bit_depth;
    const char *version_str;
    x265_param *(*param_alloc)(void);
    void (*param_free)(x265_param *);
    int (*param_parse)(x265_param *, const char *, const char *);
    int (*param_apply_profile)(x265_param *, const char *);
    int (*param_default_preset)(x265_param *, const char *, const char *);
    x265_picture *(*picture_alloc)(void);
    void (*picture_free)(x265_picture *);
    void (*picture_init)(x265_param *, x265_picture *);
    x265_encoder *(*encoder_open)(x265_param *);
    int (*encoder_headers)(x265_encoder *, x265_nal **, uint32_t *);
    int (*encoder_encode)(x265_encoder *, x265_nal **, uint32_t *, x265_picture *, x265_output);
    void (*encoder_close)(x265_encoder *);
} x265_api;

const x265_api *x265_api_get(int bit_depth);
static const char *const x265_profile_names[] = {0};
static const char *const x265_preset_names[] = {0};
static const char *const x265_tune_names[] = {0};
static const char *const x265_motion_est_names[] = {0};
