import { systemClock } from '#libs/kernel/clock.js';
import { loadEnvFile } from '#libs/setup/env-file.js';
import { readSettings } from '#libs/setup/settings.js';
import { openStores } from '#libs/setup/stores.js';
import { Arena, waitUntilCaughtUp } from './arena.js';
import { Folder } from './folder.js';
import { writeReport, type Row, table } from './report.js';
import { audit } from './rows.audit.js';
import { readsDuringRebuild } from './rows.beside.js';
import { calls } from './rows.calls.js';
import { crowd } from './rows.crowd.js';
import { least } from './rows.least.js';
import * as log from './rows.log.js';
import { coldKeys, streamsAndDocuments } from './rows.growth.js';
import { paid } from './rows.paid.js';
import { pages } from './rows.pages.js';
import * as requests from './rows.requests.js';
import { search } from './rows.search.js';
import * as social from './rows.social.js';
import { scale } from './rows.scale.js';
import { start } from './rows.start.js';
import { webhooks } from './rows.webhooks.js';
import { seed } from './seed.js';

const SHORT_EVENTS = 1_000;
const LONG_EVENTS = 100_000;

type Part = (short: Arena) => Promise<Row[]>;
const PARTS: { readonly [name: string]: Part } = {
  reads: requests.reads,
  pages,
  write: requests.signedWrites,
  single: requests.oneAtATime,
  bearer: requests.bearerWrites,
  whoami: requests.whoami,
  job: social.jobs,
  post: social.posts,
  react: social.reactions,
  least,
  inbox: social.inboxes,
  message: social.messages,
  memory: requests.memory,
};

/** `npm run bench`, `npm run bench -- <part...>`, `npm run bench -- seed <events>`. */
const [command, ...rest] = process.argv.slice(2);
if (command === 'seed') await fill(Number(rest[0]));
else await suite(command === undefined ? null : new Set([command, ...rest]));

async function suite(wanted: ReadonlySet<string> | null): Promise<void> {
  const folder = new Folder();
  const rows: Row[] = [];
  const wants = (...names: string[]) => wanted === null || names.some(name => wanted.has(name));
  const add = async (name: string, work: () => Promise<Row[]>) => {
    console.error(`${name} ...`);
    const result = await work();
    result.forEach(({ name, ratio, figures }) => console.error(`  ${name}: ${ratio.toFixed(2)} (${figures})`));
    rows.push(...result);
  };
  try {
    const arenas: Arena[] = [];
    if (wants(...Object.keys(PARTS), 'growth')) arenas.push(await Arena.open(folder, 'short', SHORT_EVENTS));
    for (const [name, part] of Object.entries(PARTS)) {
      if (!wants(name)) continue;
      // Starts a part only when the documents have caught up with the part before.
      await waitUntilCaughtUp(arenas[0]!.port('service'));
      await add(name, () => part(arenas[0]!));
    }
    if (wants('growth', 'beside', 'rebuild')) arenas.push(await Arena.open(folder, 'long', LONG_EVENTS, progress));
    if (wants('growth')) await add('growth', () => log.growth(arenas[0]!, arenas[1]!));
    if (wants('beside')) await add('beside', () => readsDuringRebuild(arenas.at(-1)!, folder.of('long')));
    await Promise.all(arenas.map(arena => arena.close()));
    if (wants('rebuild')) await add('rebuild', () => log.rebuild(folder, 'long', LONG_EVENTS));
    if (wants('mixed')) await add('mixed', () => log.mixed(folder));
    if (wants('crowd')) await add('crowd', () => crowd(folder, what => console.error(`  ${what}`)));
    if (wants('streams')) await add('streams', streamsAndDocuments);
    if (wants('keys')) await add('keys', coldKeys);
    if (wants('audit')) await add('audit', () => audit(folder));
    if (wants('start')) await add('start', () => start(folder));
    if (wants('calls')) await add('calls', calls);
    if (wants('scale')) await add('scale', () => scale(folder, sentence => console.error(`  ${sentence}`)));
    if (wants('webhooks')) await add('webhooks', () => webhooks(folder));
    if (wants('search')) await add('search', () => search(folder, sentence => console.error(`  ${sentence}`)));
    if (wants('paid')) await add('paid', () => paid(folder));
  } finally {
    folder.remove();
  }
  console.log(table(rows));
  console.log(`Written to ${writeReport(rows)}`);
}

async function fill(events: number): Promise<void> {
  if (!Number.isInteger(events) || events < 1) throw new Error('Usage: npm run bench -- seed <events>');
  loadEnvFile(process.env);
  const settings = readSettings(process.env);
  const stores = await openStores(settings);
  const { agents, events: written } = await seed(stores, settings, systemClock, { events, progress });
  console.log(`\n${written} events of ${agents.length} agents; the log ends at ${await stores.log.head()}.`);
  await stores.close();
}

function progress(events: number): void {
  process.stderr.write(`\r${events} events`);
}
