import type { FEATURES } from '#libs/features/features.js';
import type { AnyAsk, AnyOpen, AnyRead } from '#libs/verbs/read.js';
import type { AnyVerb } from '#libs/verbs/verb.js';

const BEGIN = '<!-- Made by `npm run generate`. -->';
const END = '<!-- End of what `npm run generate` makes. -->';

const WHO = { joined: 'joined', known: 'any identity', newKey: 'a new key', anyone: 'anyone' } as const;

/** The README with its table of endpoints as the features declare them. */
export function withEndpoints(readme: string, features: typeof FEATURES): string {
  const [before, after] = [readme.indexOf(BEGIN), readme.indexOf(END)];
  if (before < 0 || after < 0) throw new Error('The README has no place for the table of endpoints.');
  return `${readme.slice(0, before + BEGIN.length)}\n\n${tableOf(features)}\n\n${readme.slice(after)}`;
}

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
