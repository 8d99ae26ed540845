import { readFileSync } from 'node:fs';
import { CONCURRENT } from './limit.js';

const MODES = ['on', 'dev', 'off'] as const;

export interface LimitOverride {
  readonly points: number;
  readonly seconds: number;
}

export interface LimitRules {
  readonly mode: (typeof MODES)[number];
  readonly overrides: { readonly [name: string]: LimitOverride };
}

export function readLimitRules(text: string): Partial<LimitRules> {
  const mode = MODES.find(each => each === text);
  return mode ? { mode } : { overrides: readOverrides(text) };
}

function readOverrides(file: string): LimitRules['overrides'] {
  const content = readJsonObject(file);
  for (const [name, override] of Object.entries(content)) {
    if (!isOverride(override)) {
      throw new Error(
        `${file}: "${name}" must be {"points": n, "seconds": s}, both whole numbers and points at least 1.`,
      );
    }
  }
  return content as LimitRules['overrides'];
}

function readJsonObject(file: string): object {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    throw new Error(`"${file}" must be on, dev, off, or the path of a readable JSON file.`);
  }
  try {
    const content: unknown = JSON.parse(text);
    if (typeof content === 'object' && content !== null && !Array.isArray(content)) return content;
  } catch {
    // Same error as for a value that is not an object.
  }
  throw new Error(`${file} must contain a JSON object: {"<limit>": {"points": n, "seconds": s}}.`);
}

function isOverride(value: unknown): value is LimitOverride {
  if (typeof value !== 'object' || value === null) return false;
  const { points, seconds, ...others } = value as { [name: string]: unknown };
  return isCount(points) && (seconds === CONCURRENT || isCount(seconds)) && Object.keys(others).length === 0;
}

const COUNT_MAX = 1_000_000_000;
const isCount = (value: unknown) => Number.isInteger(value) && (value as number) >= 1 && (value as number) <= COUNT_MAX;
