# SPDX-License-Identifier: MIT
"""README.md shows what its commands print and has a row for every verb, and the samples of Swift in it and on the pages of the
libraries are those that Tests/Consumer compiles and runs."""

import re

import pytest

import readme
from programs import APUS

VERBS = re.compile(r"^\| verb \| job \|\n(.*?)\n\n", re.M | re.S)
# No row says more.
MOST_WORDS = 12


@pytest.fixture(scope="module")
def folder(work):
    """A copy of the fixtures, among which the commands run."""
    return readme.prepare(work, APUS)


def rows():
    """The cells of each row of verbs."""
    return [[cell.strip() for cell in row.strip("|").split("|")]
            for row in VERBS.search(readme.PAGE.read_text())[1].splitlines()[1:]]


@pytest.mark.parametrize("job", [job for _, job in rows()])
def test_a_job_is_described_in_few_words(job):
    assert len(job.split()) <= MOST_WORDS


def test_every_verb_has_a_row(folder):
    named = set()
    for verbs, _ in rows():
        first, *others = re.findall(r"`([^`]+)`", verbs)
        group = first.split()[:-1]
        named |= {first, *(verb if " " in verb else " ".join([*group, verb]) for verb in others)}
    listed = set(readme.run("apus man --list", folder).splitlines())
    # A group of verbs has a manual page, too.
    listed -= {verb.split()[0] for verb in listed if " " in verb}
    assert named == listed


@pytest.mark.parametrize("page", readme.PAGES, ids=lambda page: str(page.relative_to(readme.ROOT)))
def test_a_page_shows_what_commands_print_and_what_the_tests_compile(folder, page):
    text = page.read_text()
    assert page != readme.PAGE or readme.SHOWN.search(text) and "\n$ apus " in text, "README.md shows no command"
    assert readme.fresh(page, folder) == text, "Scripts/checking/readme.py corrects it"


def test_every_sample_is_on_a_page():
    shown = {name for page in readme.PAGES for _, name, _ in readme.CODE.findall(page.read_text())}
    marked = {path.stem for path in readme.SAMPLES.glob("*.swift") if "// begin" in path.read_text()}
    assert shown and not marked - shown, f"no page shows {sorted(marked - shown)}"
