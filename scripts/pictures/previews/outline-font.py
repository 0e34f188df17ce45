"""Writes inter-outlines.json: the outlines of the letters that link previews are set in.

Run it again after an upgrade of the font's package:
    pip install fonttools brotli && python3 scripts/pictures/previews/outline-font.py

The site is built on machines without a browser and without fonts, and no package of the build reads the compressed font.
So the letters are drawn from outlines that were read once. They are from Inter, under the SIL Open Font License 1.1.
"""

import json
from pathlib import Path

from fontTools.pens.svgPathPen import SVGPathPen
from fontTools.pens.transformPen import TransformPen
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont

PACKAGE = "@fontsource-variable/inter"
FOLDER = Path(__file__).resolve().parents[3] / "node_modules" / PACKAGE
FONT = FOLDER / "files" / "inter-latin-wght-normal.woff2"
WEIGHTS = (400, 600)
CHARACTERS = "".join(chr(code) for code in range(0x20, 0x7F)) + "’‘“”–…·−%"
# Units of the font, at most half a pixel in the largest title.
LEAST_KERNING = 16


def main() -> None:
    version = json.loads((FOLDER / "package.json").read_text())["version"]
    outlines = {
        "package": f"{PACKAGE} {version}",
        "licence": "SIL Open Font License 1.1",
        "unitsPerEm": TTFont(FONT)["head"].unitsPerEm,
        "weights": {str(weight): read_weight(weight) for weight in WEIGHTS},
    }
    target = Path(__file__).with_name("inter-outlines.json")
    target.write_text(json.dumps(outlines, ensure_ascii=False, separators=(",", ":")) + "\n")
    print(f"{target.name}: {target.stat().st_size} bytes")


def read_weight(weight: int) -> dict:
    font = instantiateVariableFont(TTFont(FONT), {"wght": weight})
    names, glyphs = font.getBestCmap(), font.getGlyphSet()
    known = {character: names[ord(character)] for character in sorted(set(CHARACTERS)) if ord(character) in names}
    return {
        "letters": {letter: f"{glyphs[name].width} {path_of(glyphs, name)}".strip() for letter, name in known.items()},
        "kerning": kerning(font, known),
    }


def path_of(glyphs, name: str) -> str:
    """The outline with the y axis pointing down, as in SVG."""
    pen = SVGPathPen(glyphs, ntos=lambda number: str(round(number)))
    glyphs[name].draw(TransformPen(pen, (1, 0, 0, -1, 0, 0)))
    return pen.getCommands()


def kerning(font, known: dict) -> dict:
    """By the first character of a pair: the second ones with the change of their distance, as in "V-128 W-81"."""
    table = font["GPOS"].table
    features = [record.Feature for record in table.FeatureList.FeatureRecord if record.FeatureTag == "kern"]
    indices = {index for feature in features for index in feature.LookupListIndex}
    subtables = [subtable for index in sorted(indices) for subtable in pair_subtables(table.LookupList.Lookup[index])]
    pairs: dict[str, list[str]] = {}
    for left, left_name in known.items():
        for right, right_name in known.items():
            distance = next((d for d in (distance_in(s, left_name, right_name) for s in subtables) if d is not None), 0)
            if abs(distance) >= LEAST_KERNING and is_common(left + right):
                pairs.setdefault(left, []).append(f"{right}{distance}")
    return {left: " ".join(rights) for left, rights in pairs.items()}


def is_common(pair: str) -> bool:
    """Quotes, signs and digits rarely meet in a title."""
    return all(character.isalpha() or character in ".,’" for character in pair)


def pair_subtables(lookup) -> list:
    found = [getattr(subtable, "ExtSubTable", subtable) for subtable in lookup.SubTable]
    return [subtable for subtable in found if subtable.LookupType == 2]


def distance_in(subtable, left: str, right: str):
    """None if the subtable does not list the pair: the next one may."""
    if left not in subtable.Coverage.glyphs:
        return None
    if subtable.Format == 1:
        values = subtable.PairSet[subtable.Coverage.glyphs.index(left)].PairValueRecord
        return next((advance(value.Value1) for value in values if value.SecondGlyph == right), None)
    first, second = subtable.ClassDef1.classDefs.get(left, 0), subtable.ClassDef2.classDefs.get(right, 0)
    return advance(subtable.Class1Record[first].Class2Record[second].Value1)


def advance(value) -> int:
    return 0 if value is None else round(getattr(value, "XAdvance", 0) or 0)


main()
