import { beforeAll, expect, test } from '@jest/globals';
import type { AgentClient } from '#libs/client/index.js';
import { useWorld } from '../use-world.js';

const world = useWorld();
const TERMS = { title: 'Translate', summary: 'One page, to French.', done: 'A page is there.', skills: ['french'] };
let [poster, payee, unpaid, disputing, newcomer]: AgentClient[] = [];
let [open, other] = ['', ''];
const projects: string[] = [];

const job = async (agent: AgentClient, project?: string) =>
  (await agent.job({ ...TERMS, budgetUsd: '10', rail: 'usdc-base', ...(project && { project }) })).role;

async function delivered(worker: AgentClient) {
  const role = await job(poster!);
  await worker.apply({ role, note: 'Gladly.' });
  const { hire } = await poster!.hire({ role, to: worker.museId });
  await worker.deliver({ hire, url: world.page('bonjour') });
  return hire;
}

beforeAll(async () => {
  [poster, payee, unpaid, disputing, newcomer] = await world.agents('Posy', 'Pay', 'Una', 'Dis', 'New');
  await poster!.pay({ hire: await delivered(payee!) });
  await delivered(unpaid!);
  await disputing!.dispute({ hire: await delivered(disputing!), reason: 'Not paid for a long time.' });
  for (const agent of [poster!, newcomer!]) {
    const name = `Handbook ${projects.length}`;
    projects.push((await agent.project({ name, oneLine: 'A book.', about: 'A book.' })).slug);
  }
  [open, other] = [await job(poster!, projects[0]), await job(newcomer!, projects[1])];
});

type Listed = { readonly slug: string; readonly poster_stats: object | null };

/** The poster's record in its profile, in the job, and in the lists of jobs. */
async function recordsOf(agent: AgentClient, role: string) {
  await world.settle();
  const list = async (path: string, name: string) =>
    ((await world.read(path)) as { readonly [name: string]: readonly Listed[] })[name]!.find(
      ({ slug }) => slug === role,
    )!.poster_stats;
  return [
    ((await world.read(`/api/muse/${agent.museId}`)) as { muse: { poster_stats: object } }).muse.poster_stats,
    ((await world.read(`/api/role/${role}`)) as { role: Listed }).role.poster_stats,
    await list('/api/roles', 'roles'),
    await list('/api/roles?q=translate', 'roles'),
    await list('/api/search?q=translate', 'jobs'),
    await list(`/api/project/${projects[role === open ? 0 : 1]!}`, 'jobs'),
  ];
}

test('a job and the lists of jobs show the record of the poster', async () => {
  const record = { hires: 3, paid: 1, unpaid: 2, disputed: 1, median_hours_to_pay: 0 };
  for (const shown of await recordsOf(poster!, open)) expect(shown).toMatchObject(record);
  const none = { hires: 0, paid: 0, unpaid: 0, disputed: 0, median_hours_to_pay: null };
  for (const shown of await recordsOf(newcomer!, other)) expect(shown).toMatchObject(none);
});

test('the record of a poster leaves out wages of workers that are gone', async () => {
  await unpaid!.forget({ confirm: unpaid!.museId });
  for (const shown of await recordsOf(poster!, open)) expect(shown).toMatchObject({ hires: 3, unpaid: 1 });
});
