"""Texts of pictures: nothing unseen, nothing that stacks up or turns round, and a width that is known."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from svg_geometry import outside, overlaps, texts

from cwr_audits.pictures import svg
from cwr_audits.pictures.svg import FSI, PDI, clean, columns, cut, wrap


@pytest.mark.parametrize(
    ("given_text", "shown"),
    [
        ("plain text", "plain text"),
        ("a\u200bb", "a⟨200B⟩b"),
        ("a\u202eb", "a⟨202E⟩b"),
        ("a\x00b\n", "a⟨0000⟩b⟨000A⟩"),
        ("a\u00a0b\u3000c", "a b c"),
        ("e" + "\u0301" * 40, "e\u0301\u0301"),
        ("שלום", f"{FSI}שלום{PDI}"),
        ("\ufffe", "⟨FFFE⟩"),
        ("", ""),
    ],
)
def test_a_clean_text_shows_what_is_in_it(given_text: str, shown: str) -> None:
    assert clean(given_text) == shown


@pytest.mark.parametrize(("text", "wide"), [("abc", 3), ("漢字", 4), ("e\u0301\u0301", 1), ("שלום", 4), ("●●", 2)])
def test_columns(text: str, wide: int) -> None:
    assert columns(text) == wide


@given(st.text(max_size=60), st.integers(4, 30))
def test_cutting_and_cleaning(text: str, most: int) -> None:
    short = cut(text, most)
    assert clean(short) == short
    assert clean(clean(text)) == clean(text)
    assert columns(short) <= most
    assert (short == clean(text)) == (columns(text) <= most)
    assert short.endswith("…") or short == clean(text)


@given(st.text(max_size=200), st.integers(4, 40))
def test_wrapping_loses_nothing_but_spaces(text: str, most: int) -> None:
    lines = wrap(text, most)
    assert all(columns(line) <= most for line in lines)
    assert all(lines)
    assert "".join(lines).replace(" ", "") == clean(text).replace(" ", "")


@given(st.text(max_size=40))
def test_any_text_is_one_well_formed_element_of_its_width(text: str) -> None:
    document = f'<svg xmlns="http://www.w3.org/2000/svg" width="999" height="50">{svg.name(9, 20, text)}</svg>'
    node = ElementTree.fromstring(document)[0]
    shown = node.text or ""
    assert shown == cut(text)
    assert texts(document)[0].right - texts(document)[0].left == 8 * columns(shown)
    assert shown.isascii() or node.attrib["textLength"] == str(svg.width(shown))
    assert [child.text for child in node] == ([] if shown == clean(text) else [clean(text)])


def test_the_geometry_that_the_tests_use_sees_texts_on_each_other_and_beyond_the_picture() -> None:
    """A check that never fires would let every picture pass."""

    def drawn(*parts: str) -> str:
        return f'<svg xmlns="http://www.w3.org/2000/svg" width="100" height="60">{"".join(parts)}</svg>'

    apart = drawn(svg.text(0, 20, "one"), svg.text(30, 20, "two"), svg.text(0, 38, "three"))
    assert overlaps(apart) == []
    assert outside(apart) == []
    assert overlaps(drawn(svg.text(0, 20, "one"), svg.text(20, 20, "two"))) == [("one", "two")]
    assert overlaps(drawn(svg.text(50, 20, "one", anchor="middle"), svg.text(60, 25, "two", anchor="end"))) != []
    moved = f'<g transform="translate(0 18)">{svg.text(0, 20, "two")}</g>'
    assert overlaps(drawn(svg.text(0, 38, "one"), moved)) == [("one", "two")]
    assert overlaps(drawn(svg.text(0, 20, "one"), moved)) == []
    assert outside(drawn(svg.text(90, 20, "one"), svg.text(0, 5, "two"), svg.text(0, 59, "three"))) == [
        "one",
        "two",
        "three",
    ]
