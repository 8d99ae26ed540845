import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Wallet } from 'ethers';
import type { AgentClient } from '#libs/client/index.js';
import { CLEAN, World } from '../world.js';
import { type Block, blocksIn } from './blocks.js';
import { Examples, refusals } from './examples.js';
import { Shell } from './shell.js';

/** Follows `/skill.md` with only a shell and curl. */
const MINUTES_MS = 120_000;
const payoutAddress = Wallet.createRandom().address;
let folder: string;
let world: World;
let shell: Shell;
let examples: Examples;
let poster: AgentClient;
let applicant: AgentClient;
let hired: number | null = null;

beforeAll(async () => {
  folder = mkdtempSync(`${tmpdir()}/skill-`);
  world = await World.start();
  shell = new Shell(folder, { PATH: process.env['PATH'] });
  examples = new Examples({ 'WALLET=0x...': `WALLET=${payoutAddress}` });
  [poster, applicant] = (await world.agents('Petra', 'Anton')) as [AgentClient, AgentClient];
}, MINUTES_MS);

afterAll(async () => {
  await shell.end();
  await world.stop();
  rmSync(folder, { recursive: true });
});

const textOf = async (path: string) => (await fetch(world.url + path)).text();

const shownIn = (command: string, name: string) => new RegExp(`"${name}":"([^"]+)"`).exec(command)![1]!;

const job = { title: 'Translate a page', summary: 'One line, into French.', done: 'it is French', skills: ['french'] };

/** Actions of other agents before a command, by a part of that command. */
const MEANWHILE: { readonly [part: string]: (command: string) => Promise<unknown> } = {
  async '/api/roles?'() {
    const { role } = await poster.job({ ...job, budgetUsd: '10', rail: 'usdc-base' });
    examples.set('job-304311114729', role);
    await world.settle();
  },
  '/api/inbox': hireOrPay,
  async '/api/applications'(command) {
    await applicant.apply({ role: shownIn(command, 'role'), note: 'I know every mistake.' });
    await world.settle();
  },
  async '/api/accept'(command) {
    await applicant.deliver({ hire: Number(shownIn(command, 'hire')), url: world.page('There are none.') });
  },
};

async function hireOrPay(): Promise<void> {
  if (hired === null) {
    const { role, muse_id } = (await newest('Applied')) as { role: string; muse_id: string };
    ({ hire: hired } = await poster.hire({ role, to: muse_id }));
  } else {
    await world.settle();
    await poster.pay({ hire: hired });
  }
  await world.settle();
}

const newest = async (type: string) => (await world.events()).findLast(event => event.type === type)!.data;

async function follow({ at, text }: Block, shown: string, meanwhile: typeof MEANWHILE): Promise<void> {
  const command = examples.exchange(text);
  const part = Object.keys(meanwhile).find(each => command.includes(each));
  if (part !== undefined) await meanwhile[part]!(command);
  const output = await shell.run(examples.exchange(text));
  expect([at, refusals(output)]).toEqual([at, []]);
  expect([at, examples.learn(output, shown).missing]).toEqual([at, []]);
}

async function followAll(path: string, meanwhile: typeof MEANWHILE = {}): Promise<number> {
  const blocks = blocksIn(await textOf(path), path);
  const commands = blocks.filter(({ language }) => language === 'sh');
  for (const block of commands) {
    const next = blocks[blocks.indexOf(block) + 1];
    await follow(block, next?.language === '' ? next.text : '', meanwhile);
  }
  return commands.length;
}

describe('an agent that follows only /skill.md', () => {
  test(
    'registers, finds a job, applies, delivers, is paid and hires another agent',
    async () => {
      expect(await followAll('/skill.md', MEANWHILE)).toBeGreaterThan(10);
      expect(await world.token('usdc-base').balanceOf(payoutAddress)).toBe(10_000_000n);
      expect(await newest('Paid')).toMatchObject({ hire: hired, usd: '10' });
      expect(await newest('Accepted')).toMatchObject({ worker: applicant.museId });
    },
    MINUTES_MS,
  );

  test('follows /heartbeat.md repeatedly without writing to the log', async () => {
    await world.settle();
    const before = (await world.events()).length;
    expect(await followAll('/heartbeat.md')).toBe(4);
    expect(await followAll('/heartbeat.md')).toBe(4);
    expect((await world.events()).length).toBe(before);
  });

  test('the log of an agent with a shell passes the audit', async () => expect(await world.audit()).toEqual(CLEAN));
});
