"""Traces the glyphs that pictures of forecasts set, from the site's own font, and writes them as path data.

    pip install fonttools brotli
    python scripts/pictures/trace_glyphs.py > server/record/share/picture/glyphs.tsv

Needed again only for another font or other characters. A line holds weight, code point, advance and path, in
thousandths of the font size; y points down.
"""

from fontTools.pens.svgPathPen import SVGPathPen
from fontTools.pens.transformPen import TransformPen
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont

FONT = "node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2"
CHARACTERS = "".join(map(chr, range(0x20, 0x7F))) + "\u00b7\u00d7\u2013\u2014\u2018\u2019\u201c\u201d\u2026\u2212"
WEIGHTS = (400, 600)


def trace(weight: int) -> None:
    font = instantiateVariableFont(TTFont(FONT), {"wght": weight})
    scale = 1000 / font["head"].unitsPerEm
    glyphs = font.getGlyphSet()
    names = font.getBestCmap()
    for character in CHARACTERS:
        name = names[ord(character)]
        pen = SVGPathPen(glyphs, ntos=lambda value: str(round(value)))
        glyphs[name].draw(TransformPen(pen, (scale, 0, 0, -scale, 0, 0)))
        print(weight, ord(character), round(glyphs[name].width * scale), pen.getCommands(), sep="\t")


for weight in WEIGHTS:
    trace(weight)
