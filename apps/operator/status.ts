import { SECOND_MS } from '#libs/kernel/clock.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { readAddress } from '#libs/setup/address-file.js';
import type { Settings } from '#libs/setup/settings.js';
import { isEnough } from '#libs/payments/gas.js';
import { visibleLine } from '#libs/terminal/visible.js';
import { calledAs } from '#libs/terminal/command-line.js';
import type { CommandReport } from './command-report.js';
import { statusTable } from './status-table.js';

const TIMEOUT_MS = 10 * SECOND_MS;

/** What of an answer of `GET /api/health` is looked at; another version of the service may say less. */
export interface Health extends JsonObject {
  readonly ok: boolean;
  readonly status: string;
  readonly event_log: {
    readonly kind?: string;
    readonly reachable: boolean;
    readonly position?: string | null;
    readonly unknown_types?: readonly string[] | null;
  };
  readonly documents: { readonly kind?: string; readonly reachable: boolean };
  readonly projections: readonly StoppedOrNot[];
  readonly reactions: readonly StoppedOrNot[];
  readonly payments: { readonly open?: number | null; readonly rails: readonly Rail[] };
}
type StoppedOrNot = {
  readonly name: string;
  readonly position: string;
  readonly lag: number;
  readonly state: string;
  readonly reason?: string;
};
type Rail = {
  readonly rail: string;
  readonly reachable: boolean;
  readonly domain_separator: string | null;
  readonly addresses_agree?: boolean | null;
  readonly transactions_left?: number | null;
};

/** What the service says of itself, also with a 503. Throws a sentence where none answers. */
export async function healthOf(settings: Settings, address = readAddress(settings)): Promise<Health> {
  try {
    const response = await fetch(`${address}/api/health`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    return (await response.json()) as Health;
  } catch (cause) {
    throw new Error(
      `No service answers at ${address}: start it with ${calledAs('start')}, or set DATA_DIR to its folder.`,
      {
        cause,
      },
    );
  }
}

/** What is wrong with a service, in sentences. */
export function problemsOf({ event_log, documents, projections, reactions = [], payments }: Health): string[] {
  return [
    ...(event_log.reachable ? [] : ['The event log cannot be reached: no write is taken.']),
    ...(documents.reachable ? [] : ['The document store cannot be reached: no read is answered.']),
    ...(event_log.unknown_types ?? []).map(unknownSentence),
    ...projections.filter(({ state }) => state === 'stopped').map(stoppedSentence),
    ...reactions.filter(({ state }) => state === 'failing').map(failingSentence),
    ...payments.rails
      .filter(({ reachable }) => !reachable)
      .map(({ rail }) => `The chain of ${rail} cannot be reached.`),
    ...payments.rails
      .filter(({ domain_separator }) => domain_separator === 'wrong')
      .map(({ rail }) => `The token of ${rail} has another domain separator: payments cannot settle there.`),
    ...payments.rails
      .filter(({ addresses_agree: agree }) => agree === false)
      .map(({ rail }) => `The RPC addresses of ${rail} show different chains: look which of them is right.`),
    ...payments.rails
      .filter(({ transactions_left: left }) => typeof left === 'number' && !isEnough(left))
      .map(({ rail }) => `The relayer of ${rail} can hardly pay for a transaction: send it the chain's coin.`),
  ];
}

const unknownSentence = (type: string) =>
  `The event log holds ${type}, which this version of the service does not know: start a newer one.`;

/** The reason names the event and its position, in the words of the projector. */
export const stoppedSentence = ({ name, position, reason }: Pick<StoppedOrNot, 'name' | 'position' | 'reason'>) =>
  `The projection ${name} stopped behind position ${position}: ${reason ?? 'it does not say why.'}`;

/** The reason names the event, its position and what is in the way. */
const failingSentence = ({ name, lag, reason }: StoppedOrNot) =>
  `The reaction ${name} fails again and again, and ${lag} events wait for it: ${reason ?? 'it does not say why.'}`;

/** Whether the service answers, and how far its read models are. */
export async function status(settings: Settings): Promise<CommandReport> {
  const address = readAddress(settings);
  const health = await healthOf(settings, address);
  const problems = problemsOf(health);
  if (health.status !== 'ok' && problems.length === 0) problems.push(`The service says that it is ${health.status}.`);
  const ok = health.ok && problems.length === 0;
  return { ok, json: { ...health, ok, problems }, text: textOf(address, health, problems) };
}

function textOf(address: string, health: Health, problems: readonly string[]): string {
  const behind = Math.max(0, ...health.projections.map(({ lag }) => lag));
  const said = [
    `The service at ${address} is ${health.status}; its read models are up to ${behind} events behind.`,
    ...problems,
  ];
  return `${said.map(visibleLine).join('\n  ')}\n\n${statusTable(health)}`;
}
