import { escapeLine } from './escape-controls.js';

export function formatTable(rows: readonly (readonly string[])[]): string {
  const escapedRows = rows.map(row => row.map(escapeLine));
  const widths = (escapedRows[0] ?? []).map((_, column) =>
    Math.max(...escapedRows.map(row => row[column]?.length ?? 0)),
  );
  return escapedRows
    .map(row =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
