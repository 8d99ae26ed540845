import { escapeControls } from './escape-controls.js';

/** What a command answers. Whatever a program says on a terminal goes through here, or through a `Screen`. */
export function print(text: string): void {
  process.stdout.write(`${escapeControls(text)}\n`);
}

/** What a command answers to a program. */
export function printJson(value: unknown): void {
  print(JSON.stringify(value));
}

/** Why a command ends, or what it waits for. */
export function printError(text: string): void {
  process.stderr.write(`${escapeControls(text)}\n`);
}
