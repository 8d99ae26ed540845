import { escapeLine } from './escape-controls.js';

/** Rows below one another, each column as wide as its widest text. */
export function formatTable(rows: readonly (readonly string[])[]): string {
  const shown = rows.map(row => row.map(escapeLine));
  const widths = (shown[0] ?? []).map((_, column) => Math.max(...shown.map(row => row[column]?.length ?? 0)));
  return shown
    .map(row =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
