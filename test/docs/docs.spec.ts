import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Wallet } from 'ethers';
import { Pages } from '../pages.js';
import { RawAgent, send, textOf } from '../raw-agent.js';
import { type Block, blocksOf } from './blocks.js';
import { Examples, refusals } from './examples.js';
import { addressOf, ENVIRONMENT, Shell } from './shell.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** Ordered, since later pages use the tokens of earlier ones. */
const NAMES = ['agents', 'identities', 'working', 'shell', 'paying', 'auditing', 'operating'];
const PAGES = ['README.md', ...NAMES.map(name => `docs/${name}.md`)];
const RUN = new Set(['sh', 'js', 'json']);
/** Commands that ran before: `npm ci` before all tests and `npm start` by this one. */
const DONE = /^npm (ci|start)\n/gm;
/** Includes a build and the development chain. */
const START_MS = 240_000;
const PAGE_MS = 240_000;

let folder: string;
let child: ChildProcess;
let url: string;
let shell: Shell;
let pages: Pages;
let worker: RawAgent;
let examples: Examples;
const saved: string[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'docs-'));
  pages = await Pages.start();
  const folders = { DATA_DIR: join(folder, 'data'), XDG_CONFIG_HOME: folder };
  const environment = { ...ENVIRONMENT, ...folders, FETCH_ALLOW: `127.0.0.1:4321,${pages.host}` };
  child = spawn('npm', ['start'], {
    cwd: ROOT,
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  url = await addressOf(child);
  worker = new RawAgent(url);
  shell = new Shell(ROOT, environment);
  examples = new Examples({
    'http://127.0.0.1:3000': url,
    '/backups': join(folder, 'backups'),
    './restored': join(folder, 'restored'),
    'kept.checkpoint': join(folder, 'kept.checkpoint'),
    'roles.json': join(folder, 'roles.json'),
    'ben.json': join(folder, 'ben.json'),
    'key.pem': join(folder, 'key.pem'),
    'headers.txt': join(folder, 'headers.txt'),
  });
}, START_MS);

afterAll(async () => {
  await shell.end();
  await pages.stop();
  process.kill(-child.pid!);
  await new Promise(ended => child.once('exit', ended));
  for (const file of [...saved, folder]) rmSync(file, { recursive: true, force: true });
});

/** Actions of other agents before a block, by the start of the block. They also set ids for later blocks. */
const MEANWHILE: { readonly [begin: string]: () => Promise<void> } = {
  'curl -X POST http://127.0.0.1:3000/api/block': async () => {
    examples.set('agent_jbvumv0ob9', await newest('Applied', 'muse_id'));
  },
  'npm run agent -- join --identity': async () => {
    examples.set('job-304311114729', await newest('JobPosted', 'role'));
  },
  'npm run agent -- hire': async () => {
    examples.set('agent_jbvumv0ob9', await newest('Applied', 'muse_id'));
  },
  'npm run agent -- deliver': async () => {
    examples.set('728239469038', await newest('Hired', 'hire'));
    examples.set('https://example.org/bonjour.html', pages.put('/bonjour', 'Bonjour, tout le monde.'));
  },
  'npm run operator -- hire': async () => {
    await worker.register('Greta', { skills: 'greeting' });
    await worker.post('join', { headline: 'Greets', payout_address: Wallet.createRandom().address });
    await worker.post('apply', { role: 'greeter', note: 'I greet everybody.' });
    examples.set('agent_1a2b3c4d5e', worker.museId);
  },
  'npm run operator -- accept': async () => {
    const hire = await hireOf(worker);
    await worker.post('deliver', { hire, url: pages.put('/greetings', 'Good morning, everybody.') });
    examples.set('399433017842', hire);
  },
  'npm run operator -- suspend': async () => {
    examples.set('123456789012', textOf(await worker.post('post', { text: 'The same again.' }), 'id'));
  },
};

async function newest(type: string, name: string): Promise<string> {
  const { body } = await send(url, `/api/events?types=${type}&limit=1000`);
  const events = body['events'] as unknown as readonly { readonly data: { readonly [name: string]: unknown } }[];
  return String(events.at(-1)!.data[name]);
}

async function hireOf(agent: RawAgent): Promise<string> {
  const { body } = await agent.post('inbox', { wait: '5' });
  return /"hire":(\d+)/.exec(JSON.stringify(body))?.[1] ?? hireOf(agent);
}

async function run({ at, language, text, file }: Block, shown: string): Promise<void> {
  if (language === 'js' || language === 'json') return save(file, at, text);
  const begin = Object.keys(MEANWHILE).find(begin => text.startsWith(begin));
  if (begin !== undefined) await MEANWHILE[begin]!();
  const output = await shell.run(examples.exchange(text.replace(DONE, '')));
  expect([at, refusals(output)]).toEqual([at, []]);
  expect([at, examples.learn(output, shown).missing]).toEqual([at, []]);
}

function save(file: string | null, at: string, text: string): void {
  if (file === null) throw new Error(`${at} does not say under which name to save it.`);
  const path = resolve(ROOT, examples.exchange(file));
  saved.push(path);
  writeFileSync(path, examples.exchange(text));
}

describe('a reader who follows the pages', () => {
  test.each(PAGES)(
    'gets the documented results on %s',
    async page => {
      const blocks = blocksOf(join(ROOT, page));
      for (const [at, block] of blocks.entries()) {
        if (!RUN.has(block.language) || block.notRun !== null) continue;
        const next = blocks[at + 1];
        await run(block, next?.language === '' ? next.text : '');
      }
    },
    PAGE_MS,
  );
});
