"""The cyclic-order scene: which of four swaps makes the broken loop read like the reference loop?

Vocabulary
  puzzle      what is asked: reference loop, broken loop, four options of which one repairs; an instance of CO
  option      a swap of two numbered positions, shown on a card; its id names the swap (`swap_1_3`), its label (A to D)
              names the card; ids are evaluator material, labels are what is seen
  axis        what varies without changing the answer: token style, loop path, scene variant, palette, token count,
              label position, rotation
  redraw      a swap that was drawn for a card and thrown away because it repairs just what another card repairs; the
              instance stays
  near miss   an option whose loop is a mirror image of the reference; it stays, and is told
  rendering   the picture as SVG, and where things are on it
  box         (left, top, right, bottom) in pixels of the picture, integers; the drawn border of a card lies on its box

Files
  contract.py    the fields of the public contract, as dataclasses, and the axes
  looks.py       token shapes, symbols and palettes by name
  pictograms.py  their outlines               outlines.py   path data, scaled, or as polygons
  glyphs.py      digits and letters as outlines             tokens.py   a token as an SVG fragment
  sampling.py    seed -> puzzle               judging.py    what CO says of swaps
  paths.py       loop paths                   layout.py     where things are
  marks.py       arrows, gaps, texts          variants.py   what a picture looks like before its tokens are on it
  drawing.py     puzzle -> rendering          raster.py     SVG -> PNG
  sheet.py       an example and contact sheets of all combinations, for the documents
  prompts.py     the prompt bundle
  certifying.py  the certificates of a puzzle and of its open sibling, which has all swaps as cards
  records.py     the record of an instance: answer, annotation, render map, execution trace
  making.py      seed -> item, with all of the above
  grading.py     an answer -> verdicts        evaluating.py             records shown and graded by
  seeing.py      what can be checked of a picture by looking at it; knows nothing of how it was drawn
  claims.py      what a record claims of its picture         sight      eyes: what is seen in pixels
  auditing       all of this, examined for thousands of seeds
"""
