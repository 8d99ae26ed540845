import { escapeControls } from './escape-controls.js';

/** Escapes control characters, as all terminal output must: use this, `printError` or a `Screen`. */
export function print(text: string): void {
  process.stdout.write(`${escapeControls(text)}\n`);
}

export function printJson(value: unknown): void {
  print(JSON.stringify(value));
}

export function printError(text: string): void {
  process.stderr.write(`${escapeControls(text)}\n`);
}
