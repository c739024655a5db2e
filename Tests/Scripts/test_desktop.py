# SPDX-License-Identifier: MIT
"""The files that describe apus to desktops and other programs (Sources/Desktop): the thumbnailer works as a file manager starts
it, in a sandbox without network and home, and ImageMagick and GraphicsMagick read photos by it."""

import configparser
import os
import shlex

import pytest

from programs import APUS, FFMPEG, FIXTURES, ROOT, run

DESKTOP = ROOT / "Sources/Desktop"
# What GNOME's thumbnail factory lets a thumbnailer see.
SANDBOX = ["bwrap", "--ro-bind", "/usr", "/usr", "--ro-bind-try", "/etc/ld.so.cache", "/etc/ld.so.cache",
           "--symlink", "/usr/bin", "/bin", "--symlink", "/usr/lib", "/lib", "--symlink", "/usr/lib64", "/lib64",
           "--proc", "/proc", "--dev", "/dev", "--chdir", "/", "--setenv", "GIO_USE_VFS", "local", "--unshare-all",
           "--die-with-parent"]  # fmt: skip


def shape(picture):
    return run(
        "ffprobe", "-v", "error", "-show_entries", "stream=codec_name,width,height", "-of", "csv=p=0", picture
    ).split()


TYPES = [
    ("image/heic", "photo.heic", "128,96"), ("image/heif", "portrait.heic", "72,104"),
    ("image/heic-sequence", "sequence.heics", "104,72"), ("image/avci", "still.avci", "104,72"),
]  # fmt: skip


@pytest.mark.released
@pytest.mark.parametrize("type, fixture, sides", TYPES)
def test_the_entry_makes_a_png_of_every_type_of_file_that_it_names(folder, type, fixture, sides):
    """The entry makes a PNG of what it is given, for every type of file that it names."""
    entry = configparser.ConfigParser(interpolation=None)
    entry.optionxform = str
    entry.read(DESKTOP / "apus.thumbnailer")
    entry = entry["Thumbnailer Entry"]
    assert entry["TryExec"] == "apus", entry["TryExec"]
    assert type in entry["MimeType"].split(";"), f"{type} is not in {entry['MimeType']}"
    out = folder / type.replace("/", "-")
    out.mkdir()
    # GNOME gives the file a name of its own, and a name for the output that has no ending.
    made = "gnome-desktop-thumbnailer"
    places = {"%s": "128", "%i": "/tmp/gnome-desktop-file-to-thumbnail.heic", "%o": f"/out/{made}"}
    words = [places.get(word, word) for word in shlex.split(entry["Exec"])]
    run(*SANDBOX, "--ro-bind", APUS, "/apus/apus", "--setenv", "PATH", "/apus:/usr/bin", "--bind", out, "/out",
        "--ro-bind", FIXTURES / fixture, places["%i"], *words)  # fmt: skip
    made = shape(out / made)
    assert made == [f"png,{sides}"], f"{fixture}: {made}"


# Asks Tumbler for thumbnails of a photo, and prints the signals up to the last. It gives itself the lowest priority, at which a busy
# machine does not run it in the time that the bus allows, so that is taken back.
TUMBLER = r"""
name=org.freedesktop.thumbnails.Thumbnailer1
$(sed -n 's/^Exec=//p' /usr/share/dbus-1/services/org.xfce.Tumbler.Thumbnailer1.service) &
daemon=$!
hurry() { chrt --all-tasks --other --pid 0 $daemon; }
until [[ $(dbus-send --session --print-reply --dest=org.freedesktop.DBus / org.freedesktop.DBus.NameHasOwner string:$name) == *true* ]]
do hurry; done
hurry
coproc monitor { dbus-monitor --session "type='signal',interface='$name'"; }
read -r <&"${monitor[0]}"
dbus-send --session --print-reply --dest=$name /org/freedesktop/thumbnails/Thumbnailer1 $name.Queue \
  array:string:"$1" array:string:image/heic string:normal string:default uint32:0
while read -r line <&"${monitor[0]}"; do
  printf '%s\n' "$line"
  [[ $line != *member=Finished ]] || break
done
kill "$monitor_PID" $daemon
"""


def test_xfces_service_makes_a_thumbnail_by_the_entry(folder):
    """Xfce's service makes a thumbnail by the entry. It opens the file for that before it starts the thumbnailer."""
    for name in ("share/thumbnailers", "bin", "home", "run"):
        (folder / name).mkdir(parents=True)
    (folder / "share/thumbnailers/apus.thumbnailer").write_bytes((DESKTOP / "apus.thumbnailer").read_bytes())
    (folder / "bin/apus").symlink_to(APUS)
    photo = folder / "it's a photo.heic"
    photo.write_bytes((FIXTURES / "photo.heic").read_bytes())
    place = {"HOME": f"{folder}/home", "XDG_DATA_DIRS": f"{folder}/share:/usr/share", "XDG_RUNTIME_DIR": f"{folder}/run",
             "XDG_CACHE_HOME": f"{folder}/cache", "PATH": f"{folder}/bin:/usr/bin:/bin"}  # fmt: skip
    address = photo.as_uri().replace("'", "%27")
    said = run("dbus-run-session", "--", "bash", "-c", TUMBLER, "tumbler", address, env=place)
    assert "member=Ready" in said and "member=Error" not in said, f"Tumbler: {said}"
    made = list((folder / "cache/thumbnails/normal").glob("*.png"))
    assert len(made) == 1 and shape(made[0]) == ["png,128,96"], f"Tumbler: {made}"


PROGRAMS = [["/usr/bin/convert"], ["/usr/bin/gm", "convert"]]


@pytest.mark.parametrize("program", PROGRAMS)
def test_other_programs_get_the_pixels_that_apus_writes(folder, program):
    """The lines for delegates.xml give other programs the pixels that apus writes."""
    (folder / "bin").mkdir()
    (folder / "bin/apus").symlink_to(APUS)
    for ending in ("xml", "mgk"):
        (folder / f"delegates.{ending}").write_text((DESKTOP / "delegates.xml").read_text())
    place = dict(os.environ, PATH=f"{folder}/bin:/usr/bin", MAGICK_CONFIGURE_PATH=str(folder))
    photo, own = FIXTURES / "orientation-6.heic", folder / "own.png"
    run(APUS, "convert", photo, "-o", own)
    wanted = run(FFMPEG, "-i", own, "-pix_fmt", "rgb24", "-f", "md5", "-")
    # Those of Debian read .heic by libheif; the ending .hif is left to the delegate.
    out = folder / f"{len(program)}.png"
    said = run(*program, "-verbose", f"hif:{photo}", out, env=place)
    made = run(FFMPEG, "-i", out, "-pix_fmt", "rgb24", "-f", "md5", "-")
    assert made == wanted, f"{program} makes something else of {photo.name}: {said}"
