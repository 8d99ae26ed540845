import { type ReportedHealth, healthProblems, largestLag } from '#libs/features/stats/health-problems.js';
import { SECOND_MS } from '#libs/kernel/clock.js';
import { resolveCallAddress, noServiceMessage } from '#libs/setup/address-file.js';
import type { Settings } from '#libs/setup/settings.js';
import type { CommandReport } from '#libs/terminal/command-line.js';
import { escapeLine, formatTable } from '#libs/terminal/print.js';

const TIMEOUT_MS = 10 * SECOND_MS;

/** Also reads a 503. Throws if no service answers. */
export async function readHealth(settings: Settings): Promise<ReportedHealth> {
  const callAddress = resolveCallAddress(settings);
  const health = await fetchHealth(callAddress).catch((cause: unknown) => {
    throw new Error(noServiceMessage(callAddress), { cause });
  });
  if (isHealth(health)) return health;
  throw new Error(`Another program answers at ${callAddress.address}: set PORT to the port of the service.`);
}

async function fetchHealth({ address }: ReturnType<typeof resolveCallAddress>): Promise<unknown> {
  const response = await fetch(`${address}/api/health`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  return response.json();
}

/** Checks the fields that every version of the service sends. */
function isHealth(answer: unknown): answer is ReportedHealth {
  const { status, event_log, projections, payments } = (answer ?? {}) as Partial<ReportedHealth>;
  return typeof status === 'string' && Boolean(event_log && payments) && Array.isArray(projections);
}

export async function status(settings: Settings): Promise<CommandReport> {
  const health = await readHealth(settings);
  const problems = healthProblems(health);
  const ok = health.ok && problems.length === 0;
  return {
    ok,
    json: { ...health, ok, problems },
    text: formatStatus(resolveCallAddress(settings).address, health, problems),
  };
}

function formatStatus(address: string, health: ReportedHealth, problems: readonly string[]): string {
  const lag = largestLag(health.projections);
  const behind = lag === null ? 'an unknown number of events' : `up to ${lag} events`;
  const lines = [`The service at ${address} is ${health.status}; its read models are ${behind} behind.`, ...problems];
  return `${lines.map(escapeLine).join('\n  ')}\n\n${statusTable(health)}`;
}

const HEADING = ['component', 'name', 'state', 'progress'];

const reachabilityText = (reachable: boolean) => (reachable ? 'answers' : 'cannot be reached');
const lagText = (lag: number | null) => (lag === null ? 'not counted' : `${lag} events behind`);

/** Rows for all components. Another version of the service may omit some fields. */
function statusTable({ event_log, documents, projections, reactions = [], payments }: ReportedHealth): string {
  const { position } = event_log;
  return formatTable([
    HEADING,
    ['event log', event_log.kind ?? '', reachabilityText(event_log.reachable), position ? `position ${position}` : ''],
    ['documents', documents.kind ?? '', reachabilityText(documents.reachable), ''],
    ...projections.map(({ name, state, lag }) => ['read model', name, state, lagText(lag)]),
    ...reactions.map(({ name, state, lag }) => ['reaction', name, state, lagText(lag)]),
    ...payments.rails.map(({ rail, reachable, transactions_left: transactionsLeft }) => [
      'rail',
      rail,
      reachabilityText(reachable),
      typeof transactionsLeft === 'number' ? `${transactionsLeft} transactions left` : '',
    ]),
    ...(typeof payments.open === 'number' ? [['payments', 'open', String(payments.open), '']] : []),
  ]);
}
