import { readFileSync } from 'node:fs';
import { isJsonObject, parseJson } from '#libs/kernel/json.js';
import { NEW_IDENTITIES, NEW_IDENTITIES_OF_LOOPBACK } from './general-limits.js';
import { CONCURRENT, type Limit } from './limit.js';

const COUNT_MAX = 1_000_000_000;

/** Endpoints may share a limit, so equal declarations are allowed. */
function indexByName(declared: readonly Limit[]): Map<string, Limit> {
  const limits = new Map<string, Limit>();
  for (const { name, points, seconds, per } of declared) {
    const other = limits.get(name) ?? { points, seconds, per };
    if (other.points !== points || other.seconds !== seconds || other.per !== per)
      throw new Error(`two limits are named "${name}".`);
    limits.set(name, { name, points, seconds, per });
  }
  return limits;
}

const describeKind = ({ name, seconds }: Limit) =>
  seconds === CONCURRENT
    ? `"${name}" limits concurrent requests: set seconds to 0.`
    : `"${name}" has a window: set seconds to at least 1.`;

export class LimitTable {
  private readonly limits: ReadonlyMap<string, Limit>;
  private readonly loopback: Limit | null;
  readonly isEnforced: boolean;

  constructor(declared: readonly Limit[], { mode, overrides }: LimitRules) {
    const limits = indexByName(declared);
    for (const [name, override] of Object.entries(overrides)) {
      const limit = limits.get(name);
      if (!limit)
        throw new Error(`the limit "${name}" does not exist. Limits: ${[...limits.keys()].sort().join(', ')}.`);
      if ((limit.seconds === CONCURRENT) !== (override.seconds === CONCURRENT)) throw new Error(describeKind(limit));
      limits.set(name, { ...limit, ...override });
    }
    this.limits = limits;
    this.isEnforced = mode !== 'off';
    const isOverridden = Object.hasOwn(overrides, NEW_IDENTITIES.name);
    this.loopback = mode === 'dev' && !isOverridden ? { ...NEW_IDENTITIES, points: NEW_IDENTITIES_OF_LOOPBACK } : null;
  }

  limitFor({ name }: Pick<Limit, 'name'>, isLoopback: boolean): Limit {
    if (isLoopback && this.loopback && name === NEW_IDENTITIES.name) return this.loopback;
    return this.limits.get(name)!;
  }

  /** Applies even if limits are off, because each concurrent request holds resources. */
  concurrencyMax({ name }: Pick<Limit, 'name'>): number {
    return this.limits.get(name)!.points;
  }

  limitsFor(isLoopback: boolean): Limit[] {
    return [...this.limits.values()].map(limit => this.limitFor(limit, isLoopback));
  }
}

const MODES = ['on', 'dev', 'off'] as const;

interface LimitOverride {
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
  const content = parseJson(text);
  if (isJsonObject(content)) return content;
  throw new Error(`${file} must contain a JSON object: {"<limit>": {"points": n, "seconds": s}}.`);
}

function isOverride(value: unknown): value is LimitOverride {
  if (typeof value !== 'object' || value === null) return false;
  const { points, seconds, ...others } = value as { [name: string]: unknown };
  return isCount(points) && (seconds === CONCURRENT || isCount(seconds)) && Object.keys(others).length === 0;
}
const isCount = (value: unknown) => Number.isInteger(value) && (value as number) >= 1 && (value as number) <= COUNT_MAX;
