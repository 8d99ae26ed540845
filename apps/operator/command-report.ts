import { inspect } from 'node:util';
import type { JsonObject } from '#libs/kernel/json.js';

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
