const HEXADECIMAL = 16;
const DIGITS = 4; /** Escapes control characters, as all terminal output must: use this, `printError` or a `Screen`. */
export function print(text: string): void {
  process.stdout.write(`${escapeControls(text)}\n`);
}

export function printJson(value: unknown): void {
  print(JSON.stringify(value));
}

export function printError(text: string): void {
  process.stderr.write(`${escapeControls(text)}\n`);
}

/** Characters that control a terminal instead of being shown: C0, DEL, C1 and Unicode's Bidi_Control. */
const CONTROL_CHARACTERS = /(?!\n)[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/** Uses JSON's escapes, so that JSON output keeps its value. */
const escapeCharacter = (character: string) =>
  `\\u${character.charCodeAt(0).toString(HEXADECIMAL).padStart(DIGITS, '0')}`;

/** Escapes everything that controls a terminal, except line breaks. */
export const escapeControls = (text: string): string => text.replace(CONTROL_CHARACTERS, escapeCharacter);

/** Also escapes line breaks, so that the text stays within its line. */
export const escapeLine = (text: string): string => escapeControls(text).replaceAll('\n', escapeCharacter);

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
