import { inspect } from 'node:util';
import type { JsonObject } from '#libs/kernel/json.js';
import { visibleLine } from '#libs/terminal/visible.js';

/** The result of a command: as JSON, as text, and whether nothing is wrong. */
export interface CommandReport {
  readonly ok: boolean;
  readonly json: object;
  /** Where it is left out, a person reads the JSON, laid out. */
  readonly text?: string;
}

const DEPTH_SHOWN = 6;
const WIDTH_CHARACTERS = 120;

/** A report that is just an answer of the service. */
export function plain(answer: object): CommandReport {
  const { ignored: _reason, ...json } = answer as JsonObject;
  return { ok: json['ok'] !== false, json };
}

/** For a person on a terminal, without colours: a text with a colour of its own could not be told from it. */
export const textOf = ({ json, text }: CommandReport): string =>
  text ?? inspect(json, { depth: DEPTH_SHOWN, breakLength: WIDTH_CHARACTERS });

/** Rows below one another, each column as wide as its widest text. */
export function table(rows: readonly (readonly string[])[]): string {
  const shown = rows.map(row => row.map(visibleLine));
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
