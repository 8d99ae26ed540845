/** A month in UTC: `2026-11`. */
export const MONTH = /^\d{4}-(?:0[1-9]|1[0-2])$/;
const MONTH_CHARACTERS = 7;

export const monthOf = (at: number): string => new Date(at).toISOString().slice(0, MONTH_CHARACTERS);

type Cell = string | number | null;

/** CSV (RFC 4180) with a heading. An empty cell is an unknown value. */
export function formatCsv(heading: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const lines = [heading, ...rows].map(cells => cells.map(formatCell).join(','));
  return lines.map(line => `${line}\r\n`).join('');
}

function formatCell(value: Cell): string {
  const text = value === null ? '' : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
