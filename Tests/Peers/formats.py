# SPDX-License-Identifier: MIT
"""Files of many formats, made by Debian's FFmpeg and by a current one."""

from programs import FFMPEG, run

PICTURES = ["-f", "lavfi", "-i", "testsrc2=s={size}:r={rate}:d=3"]
SOUND = ["-f", "lavfi", "-i", "sine=d=3:r={sound}"]
AAC = ["-c:a", "aac"]
HDR10 = (
    "hdr10=1:repeat-headers=1:colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc:max-cll=1000,400:"
    "master-display=G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,50)"
)


def hevc(parameters="keyint=25:bframes=3", *more):
    return ["-c:v", "libx265", "-preset", "ultrafast", "-x265-params", f"log-level=error:{parameters}", *more]


def avc(*more):
    return ["-c:v", "libx264", "-preset", "veryfast", "-g", "30", "-bf", "2", "-pix_fmt", "yuv420p", *more]


# Name: (program, options, rate, sampling rate, size).
FILES = {
    "avc.flv": ("ffmpeg", avc() + AAC, "25", "44100", "320x184"),
    "avc-ntsc.flv": ("ffmpeg", avc() + AAC, "30000/1001", "44100", "320x180"),
    "hevc.flv": (FFMPEG, hevc() + AAC, "24000/1001", "48000", "322x182"),
    "opus.flv": (FFMPEG, avc() + ["-c:a", "libopus"], "25", "48000", "320x180"),
    "flac.flv": (FFMPEG, avc() + ["-c:a", "flac"], "25", "48000", "320x180"),
    "ac3.flv": (FFMPEG, avc() + ["-c:a", "ac3"], "25", "48000", "320x180"),
    "hevc.ts": ("ffmpeg", hevc() + AAC, "25", "44100", "320x180"),
    "hevc10.ts": ("ffmpeg", hevc(HDR10, "-pix_fmt", "yuv420p10le") + ["-c:a", "ac3"], "50", "48000", "320x184"),
    "avc-interlaced.ts": ("ffmpeg", avc("-flags", "+ildct+ilme", "-x264-params", "tff=1") + AAC, "25", "48000", "320x192"),
    "mpeg2.mpg": ("ffmpeg", ["-c:v", "mpeg2video", "-c:a", "mp2", "-f", "vob"], "25", "48000", "352x288"),
    "hevc.mkv": ("ffmpeg", hevc() + ["-c:a", "flac"], "30000/1001", "48000", "320x180"),
    "hdr10.mkv": ("ffmpeg", hevc(HDR10, "-pix_fmt", "yuv420p10le") + AAC, "24", "48000", "320x184"),
    "shape.mkv": ("ffmpeg", avc("-aspect", "16:9") + ["-c:a", "libopus"], "25", "48000", "352x288"),
    "colour.mkv": ("ffmpeg", avc("-profile:v", "high", "-level", "3.1", "-x264-params",
                                 "colorprim=bt709:transfer=bt709:colormatrix=bt709") + AAC, "60", "44100", "320x180"),
    "vp9.webm": ("ffmpeg", ["-c:v", "libvpx-vp9", "-deadline", "realtime", "-c:a", "libopus"], "25", "48000", "320x180"),
    "av1.mkv": ("ffmpeg", ["-c:v", "libsvtav1", "-preset", "12", "-c:a", "libvorbis"], "25", "48000", "320x180"),
    "avc.avi": ("ffmpeg", avc("-bf", "0") + ["-bsf:v", "h264_mp4toannexb", "-c:a", "libmp3lame"], "25", "44100", "320x184"),
    "sound.ogg": ("ffmpeg", ["-vn", "-c:a", "libvorbis"], "25", "44100", "320x180"),
    "sound.wav": ("ffmpeg", ["-vn", "-c:a", "pcm_s16le"], "25", "48000", "320x180"),
    "bare.h264": ("ffmpeg", avc() + ["-an", "-f", "h264"], "25", "44100", "320x180"),
    "avc.mp4": ("ffmpeg", avc() + AAC, "30000/1001", "48000", "320x180"),
    "hdr10.mp4": ("ffmpeg", hevc(HDR10, "-pix_fmt", "yuv420p10le", "-tag:v", "hev1") + AAC, "25", "48000", "320x184"),
}


def make(folder):
    """Makes all of them."""
    for name, (program, options, rate, sound, size) in FILES.items():
        inputs = [part.format(rate=rate, sound=sound, size=size) for part in PICTURES + SOUND]
        run(program, "-y", "-v", "error", *inputs, "-shortest", *options, "-metadata:s:a", "language=deu", folder / name)
