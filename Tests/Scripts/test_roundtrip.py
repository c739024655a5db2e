# SPDX-License-Identifier: MIT
"""Every fixture, the broken ones too, comes back byte for byte and is listed, remuxed and converted, as Scripts/corpus tries with
files of others."""

import sys

import pytest

from programs import APUS, FIXTURES, ROOT, run

pytestmark = pytest.mark.apart
CHECKING = ROOT / "Scripts/checking"
SECONDS = 3600


@pytest.mark.parametrize("script", ["corpus.py", "remux.py"])
def test_fixtures_come_back_and_are_remuxed(script):
    run(sys.executable, CHECKING / script, APUS, FIXTURES, seconds=SECONDS)


@pytest.mark.parametrize("script", ["contents.py", "photos"])
def test_everything_of_a_photo_is_in_its_output_as_other_programs_see_it(python, script):
    run(python, CHECKING / script, APUS, FIXTURES, seconds=SECONDS)
