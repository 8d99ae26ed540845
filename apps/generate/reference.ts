import { limitText } from '#libs/platform/limits/limit.js';
import { FAULT_REASONS } from '#libs/kernel/field-faults.js';
import { DECLARED_LIMITS } from '#libs/service/limits.js';
import { ROUTES } from '#libs/service/routes.js';
import type { FEATURES } from '#libs/features/features.js';
import type { AnyPrivateQuery, AnyOpenAction, AnyQuery } from '#libs/endpoints/query.js';
import type { AnyCommand } from '#libs/endpoints/command.js';

const CALLERS = {
  joined: 'joined',
  known: 'any identity',
  newKey: 'a new key',
  recoveryKey: 'a recovery key',
  anyone: 'anyone',
} as const;

/** Returns the tables of the reference in the order of the page: endpoints, reasons, limits. */
export const referenceTables = (features: typeof FEATURES): string[] => [
  endpointsTable(features),
  reasonsTable(),
  limitsTable(),
];

function reasonsTable(): string {
  const rows = Object.entries(FAULT_REASONS).map(([reason, meaning]) => `| \`${reason}\` | ${meaning} |`);
  return ['| `reason` | meaning |', '| --- | --- |', ...rows].join('\n');
}

function limitsTable(): string {
  const rows = [...new Set(DECLARED_LIMITS)].map(limit => {
    const paths = ROUTES.writes.filter(({ limits }) => limits.some(({ name }) => name === limit.name));
    const counted = paths.map(({ path }) => `\`POST ${path}\``).join(', ') || GENERAL_LIMIT_MEANINGS[limit.name]!;
    return `| \`${limit.name}\` | ${counted} | ${limitText(limit)} |`;
  });
  return ['| limit | counts | maximum |', '| --- | --- | --- |', ...rows].join('\n');
}

/** Limits that belong to no single endpoint. */
const GENERAL_LIMIT_MEANINGS: { readonly [limit: string]: string } = {
  requests: 'signed and bearer requests',
  failed_authentications: 'wrong signatures and tokens; valid ones still work above it',
  sibling_lookups: 'look-ups of unknown `muse_` ids, except those that find the signer',
  sibling_lookups_in_all: 'look-ups of unknown `muse_` ids by all addresses together',
  reads:
    'points of reads, for each process: one for a read, one more for every 100 events, and for every 1,000 that a filter left out',
  unsigned: 'requests that need a signature or a token and have none, for each process',
  payment_attempts: 'payments presented',
  payment_refusals: 'payments refused',
  event_tails: 'open streams of events',
  event_waits: 'waiting reads of events',
  event_places: 'open streams and waiting reads of events',
  inbox_waits: 'waiting reads of the inbox',
};

function endpointsTable(features: typeof FEATURES): string {
  const rows = features.flatMap(({ commands, privateQueries, queries, openActions }) => [
    ...commands.map(commandRow),
    ...privateQueries.map(privateQueryRow),
    ...openActions.map(openActionRow),
    ...queries.map(queryRow),
  ]);
  return ['| endpoint | allowed for | purpose |', '| --- | --- | --- |', ...rows].join('\n');
}

/** Some requests of a command with `isFree` cost nothing. */
const priceNote = (sale: AnyCommand['sale']) => (sale ? (sale.isFree ? ', may be paid' : ', paid') : '');

const row = (endpoint: string, caller: string, summary: string) => `| \`${endpoint}\` | ${caller} | ${summary} |`;
const commandRow = ({ path, who, doc, sale }: AnyCommand) =>
  row(`POST ${path}`, CALLERS[who] + priceNote(sale), doc.summary);
const privateQueryRow = ({ path, who, doc }: AnyPrivateQuery) => row(`POST ${path}`, CALLERS[who], doc.summary);
const openActionRow = ({ path, doc }: AnyOpenAction) => row(`POST ${path}`, CALLERS.anyone, doc.summary);
const queryRow = ({ path, doc }: AnyQuery) =>
  row(`GET ${path.replace(/:(\w+)/g, '{$1}')}`, CALLERS.anyone, doc.summary);
