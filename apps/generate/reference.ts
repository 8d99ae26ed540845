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
  return ['| `reason` | what is wrong |', '| --- | --- |', ...rows].join('\n');
}

function limitsTable(): string {
  const rows = [...new Set(LIMITS)].map(limit => {
    const paths = ROUTES.writes.filter(({ limits }) => limits.some(({ name }) => name === limit.name));
    const what = paths.map(({ path }) => `\`POST ${path}\``).join(', ') || GENERALLY[limit.name]!;
    return `| \`${limit.name}\` | ${what} | ${inWords(limit)} |`;
  });
  return ['| limit | what it counts | how many |', '| --- | --- | --- |', ...rows].join('\n');
}

/** What those limits count that belong to no endpoint. */
const GENERALLY: { readonly [limit: string]: string } = {
  requests: 'signed and bearer requests',
  failed_authentications: 'wrong signatures and tokens; who has a token is not kept out',
  sibling_lookups: 'look-ups of `muse_` ids that nobody here knows, but those that find who signed',
  sibling_lookups_in_all: 'the same, of all addresses together',
  reads: 'reads, by each process for itself',
  payment_attempts: 'payments presented',
  payment_refusals: 'payments refused',
  event_tails: 'streams of events that are followed',
  event_waits: 'reads of events that wait',
  event_places: 'both of these',
  inbox_waits: 'inboxes that wait',
};

function tableOf(features: typeof FEATURES): string {
  const rows = features.flatMap(({ verbs, asks, reads, opens }) => [
    ...verbs.map(verbRow),
    ...asks.map(askRow),
    ...opens.map(openRow),
    ...reads.map(readRow),
  ]);
  return ['| endpoint | who | what it does |', '| --- | --- | --- |', ...rows].join('\n');
}

/** Whether it is paid: some requests of a verb that may be free are not. */
const priceOf = (sale: AnyVerb['sale']) => (sale ? (sale.isFree ? ', may be paid' : ', paid') : '');

const row = (endpoint: string, who: string, summary: string) => `| \`${endpoint}\` | ${who} | ${summary} |`;
const verbRow = ({ path, who, doc, sale }: AnyVerb) => row(`POST ${path}`, WHO[who] + priceOf(sale), doc.summary);
const askRow = ({ path, who, doc }: AnyAsk) => row(`POST ${path}`, WHO[who], doc.summary);
const openRow = ({ path, doc }: AnyOpen) => row(`POST ${path}`, WHO.anyone, doc.summary);
const readRow = ({ path, doc }: AnyRead) => row(`GET ${path.replace(/:(\w+)/g, '{$1}')}`, WHO.anyone, doc.summary);
