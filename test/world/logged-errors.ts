import pino, { type Logger } from 'pino';

const KEPT_MAX = 100;
const ERROR_LEVEL = 50;
const LATE_MS = 100;

interface Line {
  readonly level: number;
  readonly msg: string;
  readonly error_id?: string;
  readonly err?: { readonly stack?: string; readonly message?: string };
}

/** The newest logged errors of all services of this worker, in all processes. */
const errors: Line[] = [];
let dropped = 0;

/** Returns a function that lists the errors logged from now on. */
export function watchErrors(): () => readonly Line[] {
  const start = dropped + errors.length;
  return () => errors.slice(Math.max(0, start - dropped));
}

/** Collects the errors of log output with JSON lines among other text. */
export function recordErrors(text: string): void {
  for (const line of text.split('\n')) {
    const read = parsed(line);
    if (read && read.level >= ERROR_LEVEL) errors.push(read);
  }
  dropped += errors.splice(0, errors.length - KEPT_MAX).length;
}

function parsed(line: string): Line | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    return JSON.parse(line) as Line;
  } catch {
    return undefined;
  }
}

/** Logger of a service in this process; keeps only errors unless `WORLD_LOG` is set. */
export function worldLog(): Logger {
  const level = process.env['WORLD_LOG'];
  const write = (line: string) => {
    recordErrors(line);
    if (level) process.stderr.write(line);
  };
  return pino({ level: level ?? 'error' }, { write });
}

const shown = ({ msg, err }: Line) => `${msg}: ${err?.stack ?? err?.message ?? 'without a reason'}`;

/** Returns the cause of a 500 by its id; another process may log it after its response. */
export async function explainError(errorId = ''): Promise<string> {
  const findError = () => errors.find(({ error_id }) => error_id === errorId);
  if (!findError()) await new Promise(resolve => setTimeout(resolve, LATE_MS));
  const line = findError();
  return line ? shown(line) : 'Its reason was not logged.';
}

export const newestErrors = (count = 3): string => errors.slice(-count).map(shown).join('\n');
