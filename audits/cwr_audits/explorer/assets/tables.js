/* Tables of the report: a click, Enter or Space on a heading sorts by its column, up, then down, then as written.
 *
 * Rows are moved, never made: nothing is parsed as markup. Numbers sort as numbers where a whole column has them.
 */
"use strict";

for (const table of document.querySelectorAll("table.sortable")) {
  const body = table.tBodies[0];
  if (body) {
    const written = [...body.rows];
    [...table.tHead.rows[0].cells].forEach((head, column) => sortable(table, body, written, head, column));
  }
}

function sortable(table, body, written, head, column) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "sort";
  button.textContent = head.textContent;
  head.replaceChildren(button);
  head.setAttribute("aria-sort", "none");
  button.addEventListener("click", () => {
    const next = { none: "ascending", ascending: "descending", descending: "none" }[head.getAttribute("aria-sort")];
    for (const other of table.tHead.rows[0].cells) other.setAttribute("aria-sort", "none");
    head.setAttribute("aria-sort", next);
    body.replaceChildren(...ordered(written, column, next));
  });
}

function ordered(written, column, order) {
  if (order === "none") return written;
  const text = (row) => row.cells[column].textContent.trim();
  const numbers = written.every((row) => /^-?[0-9]+$/.test(text(row)));
  const compare = numbers
    ? (one, other) => Number(text(one)) - Number(text(other))
    : (one, other) => (text(one) < text(other) ? -1 : text(one) > text(other) ? 1 : 0);
  const found = [...written].sort(compare);
  return order === "descending" ? found.reverse() : found;
}
