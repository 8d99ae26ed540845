import pino, { type Logger } from 'pino';

const KEPT_MAX = 100;
/** Of pino. */
const ERROR_LEVEL = 50;
const LATE_MS = 100;

interface Line {
  readonly level: number;
  readonly msg: string;
  readonly error_id?: string;
  readonly err?: { readonly stack?: string; readonly message?: string };
}

/** The newest of what the services of a test file have logged as errors, whichever process they run in. */
const errors: Line[] = [];

/** The newest of them, the oldest first. */
export const loggedErrors = (): readonly Line[] => [...errors];

/** Keeps the errors of what a service has logged: lines of JSON, among which others may stand. */
export function recordErrors(text: string): void {
  for (const line of text.split('\n')) {
    const read = parsed(line);
    if (read && read.level >= ERROR_LEVEL) errors.push(read);
  }
  errors.splice(0, errors.length - KEPT_MAX);
}

function parsed(line: string): Line | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    return JSON.parse(line) as Line;
  } catch {
    return undefined;
  }
}

/** The log of a service in this process. What it says below an error is nobody's, unless `WORLD_LOG` asks for it. */
export function worldLog(): Logger {
  const level = process.env['WORLD_LOG'];
  const write = (line: string) => {
    recordErrors(line);
    if (level) process.stderr.write(line);
  };
  return pino({ level: level ?? 'error' }, { write });
}

const shown = ({ msg, err }: Line) => `${msg}: ${err?.stack ?? err?.message ?? 'without a reason'}`;

/** Why a request was answered with a 500 of this id. Another process may say so a moment behind its answer. */
export async function explainError(errorId = ''): Promise<string> {
  const found = () => errors.find(({ error_id }) => error_id === errorId);
  if (!found()) await new Promise(resolve => setTimeout(resolve, LATE_MS));
  const line = found();
  return line ? shown(line) : 'Its reason was not logged.';
}

/** The newest errors, for a failure that names none itself. */
export const newestErrors = (count = 3): string => errors.slice(-count).map(shown).join('\n');
