import { SECOND_MS } from '#libs/kernel/clock.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { calledAt } from '#libs/setup/address-file.js';
import type { Settings } from '#libs/setup/settings.js';
import { visibleLine } from '#libs/terminal/visible.js';
import { nobodyAnswers } from '#libs/setup/nobody-answers.js';
import type { CommandReport } from './command-report.js';
import { problemsOf } from './problems.js';
import { statusTable } from './status-table.js';

const TIMEOUT_MS = 10 * SECOND_MS;

/** What of an answer of `GET /api/health` is looked at; another version of the service may say less. */
export type Health = JsonObject & {
  readonly ok: boolean;
  readonly status: string;
  readonly event_log: {
    readonly kind?: string;
    readonly reachable: boolean;
    readonly position?: string | null;
    readonly unknown_types?: readonly string[] | null;
  };
  readonly documents: { readonly kind?: string; readonly reachable: boolean };
  readonly vault?: { readonly reachable: boolean };
  readonly filling?: { readonly events: number; readonly of: number } | null;
  readonly projections: readonly StoppedOrNot[];
  readonly reactions: readonly StoppedOrNot[];
  readonly payments: {
    readonly open?: number | null;
    readonly not_applied?: number | null;
    readonly unclear?: number | null;
    readonly rails: readonly Rail[];
  };
};
export type StoppedOrNot = {
  readonly name: string;
  readonly position: string;
  readonly lag: number;
  readonly waiting_since?: number | null;
  readonly state: string;
  readonly reason?: string;
};
export type Rail = {
  readonly rail: string;
  readonly reachable: boolean;
  readonly domain_separator: string | null;
  readonly addresses_agree?: boolean | null;
  readonly transactions_left?: number | null;
};

/** What the service says of itself, also with a 503. Throws a sentence where none answers. */
export async function healthOf(settings: Settings): Promise<Health> {
  const called = calledAt(settings);
  const health = await answerOf(called).catch((cause: unknown) => {
    throw new Error(nobodyAnswers(called), { cause });
  });
  if (isHealth(health)) return health;
  throw new Error(`What answers at ${called.address} is something else than this service: set PORT to the service’s.`);
}

async function answerOf({ address }: ReturnType<typeof calledAt>): Promise<unknown> {
  const response = await fetch(`${address}/api/health`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  return response.json();
}

/** Whether an answer has what every version of the service says of itself. */
function isHealth(answer: unknown): answer is Health {
  const { status, event_log, projections, payments } = (answer ?? {}) as Partial<Health>;
  return typeof status === 'string' && Boolean(event_log && payments) && Array.isArray(projections);
}

/** Whether the service answers, and how far its read models are. */
export async function status(settings: Settings): Promise<CommandReport> {
  const health = await healthOf(settings);
  const problems = problemsOf(health);
  const ok = health.ok && problems.length === 0;
  return { ok, json: { ...health, ok, problems }, text: textOf(calledAt(settings).address, health, problems) };
}

function textOf(address: string, health: Health, problems: readonly string[]): string {
  const behind = Math.max(0, ...health.projections.map(({ lag }) => lag));
  const said = [
    `The service at ${address} is ${health.status}; its read models are up to ${behind} events behind.`,
    ...problems,
  ];
  return `${said.map(visibleLine).join('\n  ')}\n\n${statusTable(health)}`;
}
