import pino, { type Logger } from 'pino';

/** JSON lines on stderr, pretty on a terminal. Nothing secret is ever a member of a line. */
export function makeLog(level: string): Logger {
  const stderr = 2;
  if (!process.stderr.isTTY) return pino({ level }, pino.destination(stderr));
  return pino({ level, transport: { target: 'pino-pretty', options: { destination: stderr } } });
}
