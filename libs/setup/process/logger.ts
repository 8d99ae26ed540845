import pino, { type Logger } from 'pino';
import { escapeControls, escapeLine } from '#libs/terminal/print.js';

/** Writes JSON lines to stderr, formatted on a terminal. */
export function createLogger(level: string): Logger {
  const stderr = 2;
  if (!process.stderr.isTTY) return pino({ level, hooks: { streamWrite: escapeControls } }, pino.destination(stderr));
  const transport = { target: 'pino-pretty', options: { destination: stderr } };
  return pino({ level, hooks: { streamWrite: escapeLogLine }, transport });
}

/** Escapes the values, so that they stay harmless outside the JSON. A stack keeps its line breaks. */
export function escapeLogLine(line: string): string {
  const texts = (name: string, value: unknown) => {
    if (typeof value !== 'string') return value;
    return name === 'stack' ? escapeControls(value) : escapeLine(value);
  };
  return `${JSON.stringify(JSON.parse(line), texts)}\n`;
}
