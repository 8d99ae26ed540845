import { FEATURES } from '#libs/features/features.js';
import { DECISIONS } from '#libs/service/decision-table.js';
import { characterTable } from './characters.js';
import { clientSource } from './client.js';
import { SALES } from '#libs/service/sales.js';
import { decisionTable, memberTable, purchaseTable, streamTable } from './decisions.js';
import { formatFile } from './format-file.js';
import { hostSections } from './hosts.js';
import { libraryGraph } from './import-graph.js';
import { referenceTables } from './reference.js';
import { STREAM_LIST, streamList } from './stream-list.js';

const CLIENT = 'libs/client/operations.generated.ts';
const REFERENCE = 'docs/reference.md';
const ARCHITECTURE = 'docs/architecture.md';
const HOSTS = 'docs/hosts.md';
const EVENTS = 'docs/events.md';
const CHARACTERS = 'libs/kernel/characters.generated.ts';

/** Contents of all generated files that are committed. Paths are relative to the root. */
export async function generateFiles(read: (path: string) => string): Promise<{ file: string; text: string }[]> {
  const files = [
    { file: STREAM_LIST, text: streamList() },
    { file: CLIENT, text: clientSource(FEATURES) },
    { file: REFERENCE, text: fillPage(read(REFERENCE), referenceTables(FEATURES)) },
    { file: HOSTS, text: fillPage(read(HOSTS), [hostSections()]) },
    { file: EVENTS, text: fillPage(read(EVENTS), eventTables()) },
    { file: ARCHITECTURE, text: fillPage(read(ARCHITECTURE), [libraryGraph()]) },
    { file: CHARACTERS, text: await characterTable() },
  ];
  return Promise.all(files.map(async ({ file, text }) => ({ file, text: await formatFile(file, text) })));
}

const eventTables = () => [streamTable(), decisionTable(DECISIONS.values()), purchaseTable(SALES), memberTable()];

const BEGIN = '<!-- Made by `npm run generate`. -->';
const END = '<!-- End of what `npm run generate` makes. -->';

/** Returns the page with `parts` between its marks, in this order. Throws if the page has another number of places. */
function fillPage(page: string, parts: readonly string[]): string {
  const [head, ...places] = page.split(BEGIN);
  if (places.length !== parts.length)
    throw new Error(`The page has ${places.length} places for ${parts.length} parts.`);
  const filled = places.map((place, at) => {
    const end = place.indexOf(END);
    if (end < 0) throw new Error('A place of the page has no end.');
    return `${BEGIN}\n\n${parts[at]}\n\n${place.slice(end)}`;
  });
  return head + filled.join('');
}
