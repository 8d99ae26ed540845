import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { findIntendedName } from '#libs/validation/misspellings.js';
import { SettingError } from './setting.js';
import { SETTINGS } from './settings.table.js';

const FILE = '.env';
/** Read by the agent's command line, or by the tools that share the file. */
const OTHER_NAMES = /^(AGENT_\w+|COMPOSE_\w+|NODE_\w+|npm_\w+|NO_COLOR|FORCE_COLOR|TZ)$/;
const NAMES: readonly string[] = Object.values(SETTINGS).map(({ name }) => name);
const ASSIGNMENT = /^\s*(?:export\s+)?[\w.-]+\s*=/;
const QUOTED = /=\s*(["'`])[\s\S]*?\1/g;

/**
 * Adds what `.env` in the working folder sets to the environment, which takes precedence. Returns a warning for each
 * name that is not a setting. Throws `SettingError` if the file cannot be read or a line is not `NAME=value`.
 */
export function loadEnvFile(environment: NodeJS.ProcessEnv): string[] {
  const text = readEnvFile();
  if (text === null) return [];
  // A quoted value may span lines.
  const lines = text.replace(QUOTED, quoted => `=${'\n'.repeat(quoted.split('\n').length - 1)}`).split('\n');
  const wrong = lines.findIndex(line => !/^\s*(#|$)/.test(line) && !ASSIGNMENT.test(line));
  if (wrong >= 0) throw new SettingError(FILE, `line ${wrong + 1} must be NAME=value or begin with #.`);
  const values = parseEnv(text);
  for (const [name, value] of Object.entries(values)) environment[name] ??= value;
  return Object.keys(values)
    .filter(name => !NAMES.includes(name) && !OTHER_NAMES.test(name))
    .map(name => `${FILE}: ${name} is not a setting${suggestion(name)}`);
}

function readEnvFile(): string | null {
  try {
    return readFileSync(FILE, 'utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    if (code === 'EISDIR') throw new SettingError(FILE, 'it is a folder. Replace it with a file of NAME=value lines.');
    throw new SettingError(FILE, `the file cannot be read (${code}).`);
  }
}

function suggestion(name: string): string {
  const intendedName = findIntendedName(name, NAMES);
  return intendedName === undefined ? '.' : `; did you mean ${intendedName}?`;
}
