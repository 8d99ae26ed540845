import { inWords } from '#libs/limits/words.js';
import { REASONS } from '#libs/kernel/reasons.js';
import { LIMITS } from '#libs/service/limits.js';
import { ROUTES } from '#libs/service/routes.js';
import type { FEATURES } from '#libs/features/features.js';
import type { AnyAsk, AnyOpen, AnyRead } from '#libs/verbs/read.js';
import type { AnyVerb } from '#libs/verbs/verb.js';

const BEGIN = '<!-- Made by `npm run generate`. -->';
const END = '<!-- End of what `npm run generate` makes. -->';

const WHO = { joined: 'joined', known: 'any identity', newKey: 'a new key', anyone: 'anyone' } as const;

/** The page with its tables of endpoints, reasons and limits as the code declares them, in this order. */
export function withTables(page: string, features: typeof FEATURES): string {
  const parts = page.split(BEGIN);
  const tables = [tableOf(features), reasonsTable(), limitsTable()];
  if (parts.length !== tables.length + 1) throw new Error('The page has no place for each of its tables.');
  const filled = parts.slice(1).map((part, at) => {
    const end = part.indexOf(END);
    if (end < 0) throw new Error('A table of the page has no end.');
    return `${BEGIN}\n\n${tables[at]}\n\n${part.slice(end)}`;
  });
  return parts[0] + filled.join('');
}

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
