import pino, { type Logger } from 'pino';
import { escapeControls, escapeLine } from '#libs/terminal/escape-controls.js';

/** JSON lines on stderr, pretty on a terminal. Nothing secret is ever a member of a line. */
export function createLogger(level: string): Logger {
  const stderr = 2;
  if (!process.stderr.isTTY) return pino({ level, hooks: { streamWrite: escapeControls } }, pino.destination(stderr));
  const transport = { target: 'pino-pretty', options: { destination: stderr } };
  return pino({ level, hooks: { streamWrite: escapeLogLine }, transport });
}

/** A line whose texts stay harmless when they are taken out of the JSON; a stack keeps its lines. */
export function escapeLogLine(line: string): string {
  const texts = (name: string, value: unknown) => {
    if (typeof value !== 'string') return value;
    return name === 'stack' ? escapeControls(value) : escapeLine(value);
  };
  return `${JSON.stringify(JSON.parse(line), texts)}\n`;
}
