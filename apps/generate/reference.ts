import { inWords } from '#libs/platform/limits/words.js';
import { REASONS } from '#libs/kernel/reasons.js';
import { LIMITS } from '#libs/service/limits.js';
import { ROUTES } from '#libs/service/routes.js';
import type { FEATURES } from '#libs/features/features.js';
import type { AnyAsk, AnyOpen, AnyRead } from '#libs/endpoints/read.js';
import type { AnyVerb } from '#libs/endpoints/verb.js';

const WHO = { joined: 'joined', known: 'any identity', newKey: 'a new key', anyone: 'anyone' } as const;

/** Returns the tables of the reference, in the order of the page: endpoints, reasons, limits. */
export const referenceTables = (features: typeof FEATURES): string[] => [
  tableOf(features),
  reasonsTable(),
  limitsTable(),
];

function reasonsTable(): string {
  const rows = Object.entries(REASONS).map(([reason, meaning]) => `| \`${reason}\` | ${meaning} |`);
  return ['| `reason` | meaning |', '| --- | --- |', ...rows].join('\n');
}

function limitsTable(): string {
  const rows = [...new Set(LIMITS)].map(limit => {
    const paths = ROUTES.writes.filter(({ limits }) => limits.some(({ name }) => name === limit.name));
    const what = paths.map(({ path }) => `\`POST ${path}\``).join(', ') || GENERALLY[limit.name]!;
    return `| \`${limit.name}\` | ${what} | ${inWords(limit)} |`;
  });
  return ['| limit | counts | maximum |', '| --- | --- | --- |', ...rows].join('\n');
}

/** Meanings of the limits that belong to no single endpoint. */
const GENERALLY: { readonly [limit: string]: string } = {
  requests: 'signed and bearer requests',
  failed_authentications: 'wrong signatures and tokens; valid tokens still work above it',
  sibling_lookups: 'look-ups of unknown `muse_` ids, except those that find the signer',
  sibling_lookups_in_all: 'look-ups of unknown `muse_` ids by all addresses together',
  reads: 'points of reads, for each process: one for a read, one more for every 100 events',
  payment_attempts: 'payments presented',
  payment_refusals: 'payments refused',
  event_tails: 'open streams of events',
  event_waits: 'waiting reads of events',
  event_places: 'open streams and waiting reads of events',
  inbox_waits: 'waiting reads of the inbox',
};

function tableOf(features: typeof FEATURES): string {
  const rows = features.flatMap(({ verbs, asks, reads, opens }) => [
    ...verbs.map(verbRow),
    ...asks.map(askRow),
    ...opens.map(openRow),
    ...reads.map(readRow),
  ]);
  return ['| endpoint | allowed for | purpose |', '| --- | --- | --- |', ...rows].join('\n');
}

/** Whether it is paid: some requests of a verb that may be free are not. */
const priceOf = (sale: AnyVerb['sale']) => (sale ? (sale.isFree ? ', may be paid' : ', paid') : '');

const row = (endpoint: string, who: string, summary: string) => `| \`${endpoint}\` | ${who} | ${summary} |`;
const verbRow = ({ path, who, doc, sale }: AnyVerb) => row(`POST ${path}`, WHO[who] + priceOf(sale), doc.summary);
const askRow = ({ path, who, doc }: AnyAsk) => row(`POST ${path}`, WHO[who], doc.summary);
const openRow = ({ path, doc }: AnyOpen) => row(`POST ${path}`, WHO.anyone, doc.summary);
const readRow = ({ path, doc }: AnyRead) => row(`GET ${path.replace(/:(\w+)/g, '{$1}')}`, WHO.anyone, doc.summary);
