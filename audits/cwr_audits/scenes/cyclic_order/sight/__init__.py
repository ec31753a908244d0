"""Eyes for pictures of the cyclic-order scene: from pixels, and from the text of an SVG. Nothing here knows how a
picture was drawn; the letters and digits that ink is compared with are rendered here, from the font itself.

Vocabulary
  sheet      a picture as colours and as darkness: 0 for white, 1 for black
  ink        pixels of a darkness of DARK or more
  piece      ink that hangs together, diagonally as well
  box        (left, top, right, bottom); pixel k reaches from k to k + 1
  character  a piece that looks like a letter of a card or a digit: its overlap with the font's own is LEAST_OVERLAP or
             more, and that with every other character is smaller by LEAST_LEAD or more
  silhouette what is not ground in and around the box of a token: the largest piece that the ground, flowing in from
             outside over all that is not ink, does not reach

Files
  pixels.py      sheets and pieces                borders.py   the border of a card
  characters.py  letters and digits               tokens.py    tokens, compared with each other, and their colours
  arrows.py      which way a loop is read         svgtext.py   what may stand in the text of a picture
  places.py      boxes to each other              looking.py   what is seen where something is claimed
  puzzle.py      the puzzle, read from what is seen  pngbytes.py   what may stand in the bytes of a picture
"""
