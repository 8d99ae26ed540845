import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import type { JsonObject } from '#libs/kernel/json.js';
import { HOUR_MS, MINUTE_MS } from '#libs/kernel/clock.js';
import { Random } from '../faults/stores/random.js';
import { profileNumbers } from '../profile-numbers.js';
import { RawAgent, type Reply, send, textOf } from '../raw-agent.js';
import { useWorld } from '../use-world.js';
import { paymentHeader } from '../x402.js';

const SEED = Number(process.env['SEED'] ?? 7);
const STEPS = 260;
const NAMES = ['Ada', 'Ben', 'Cyd', 'Dee', 'Eli', 'Fay'];
const SKILLS = ['french', 'german'];

const world = useWorld();
const random = new Random(SEED);
const agents: RawAgent[] = [];
const roles: { slug: string; poster: RawAgent }[] = [];
const applied: { slug: string; poster: RawAgent; worker: RawAgent }[] = [];
const hires: { hire: string; poster: RawAgent; worker: RawAgent }[] = [];
const posts: string[] = [];

type Fields = { [name: string]: string };

/** Allows refusals by a rule, fails on any other error. */
async function asks(agent: RawAgent, endpoint: string, fields: Fields): Promise<Reply> {
  const answer = await agent.post(endpoint, fields);
  if (answer.status !== 402) return sound(answer);
  return sound(await agent.post(endpoint, fields, await paymentHeader(agent.wallet, answer, world.now())));
}

function sound(answer: Reply): Reply {
  if (answer.status >= 500 || answer.status === 402) throw new Error(JSON.stringify(answer.body));
  return answer;
}

async function join(name: string): Promise<void> {
  const agent = new RawAgent(world.url, () => world.now());
  await agent.register(name, { skills: SKILLS.join(',') });
  await world.fund(agent.wallet.address);
  const brought = agents.length > 0 && { referred_by: random.pick(agents).museId };
  await asks(agent, 'join', { headline: `${name} of a test`, payout_address: agent.wallet.address, ...brought });
  agents.push(agent);
}

const two = (): [RawAgent, RawAgent] => {
  const one = random.pick(agents);
  return [one, random.pick(agents.filter(agent => agent !== one))];
};

async function postJob(): Promise<void> {
  const poster = random.pick(agents);
  const budget = random.next() < 0.7 && { budget_usd: String(1 + Math.floor(random.next() * 9)) };
  const rail = random.pick(['usdc-base', 'usdg-robinhood']);
  const job = { title: 'A page', summary: 'A page that says something.', done: 'A page is there.', seats: '3' };
  const answer = await asks(poster, 'job', { ...job, skills: random.pick(SKILLS), rail, ...budget });
  if (answer.status === 200) roles.push({ slug: textOf(answer, 'role'), poster });
}

async function apply(): Promise<void> {
  if (roles.length === 0) return;
  const [worker, role] = [random.pick(agents), random.pick(roles)];
  const { status } = await asks(worker, 'apply', { role: role.slug, note: 'I am fluent.' });
  if (status === 200) applied.push({ ...role, worker });
}

async function hire(): Promise<void> {
  const application = applied.shift();
  if (!application) return;
  const { poster, worker, slug } = application;
  const answer = await asks(poster, 'hire', { role: slug, to: worker.museId });
  if (answer.status === 200) hires.push({ hire: textOf(answer, 'hire'), poster, worker });
}

/** Takes a random action of a party to a random hire. */
async function work(): Promise<void> {
  if (hires.length === 0) return;
  const { hire, poster, worker } = random.pick(hires);
  const reason = 'It is not what was agreed on.';
  const party = random.pick([poster, worker]);
  const [agent, endpoint, fields] = random.pick<[RawAgent, string, Fields]>([
    [worker, 'deliver', { hire, url: world.page('bonjour') }],
    [worker, 'deliver', { hire, url: world.page('bonjour') }],
    [poster, 'accept', { hire, positive: random.pick(['true', 'false']) }],
    [worker, 'deliver', { hire, url: world.page('salut') }],
    [poster, 'pay', { hire }],
    [poster, 'pay', { hire }],
    [poster, 'pay', { hire }],
    [
      party,
      'dispute',
      random.pick<Fields>([
        { hire, reason },
        { hire, withdraw: 'true' },
      ]),
    ],
    [party, 'end_hire', { hire, reason }],
    [poster, 'endorse', { to: worker.museId, skill: random.pick(SKILLS), hire }],
  ]);
  await asks(agent, endpoint, fields);
}

async function say(): Promise<void> {
  const [author, other] = two();
  const parent = posts.length > 0 && random.next() < 0.5 && { parent_id: random.pick(posts) };
  const mention = random.next() < 0.4 ? `@${other.museId} ` : '';
  const answer = await asks(author, 'post', { text: `${mention}Hello.`, ...parent });
  if (answer.status === 200) posts.push(textOf(answer, 'id'));
}

/** Takes a random action between two muses. */
async function meet(): Promise<void> {
  const [one, other] = two();
  const to = other.museId;
  const [endpoint, fields] = random.pick<[string, Fields]>([
    ['connect', { to }],
    ['connect', { to }],
    ['connect', { to }],
    ['disconnect', { to }],
    ['message', { to, text: 'Are you free on Monday?' }],
    ['message', { to, text: 'Are you free on Tuesday?' }],
    ['endorse', { to, skill: random.pick(SKILLS) }],
    ['recommend', { to, text: random.pick(['Every word of it was right.', 'Always there in good time.', '']) }],
  ]);
  await asks(one, endpoint, fields);
}

async function become(): Promise<void> {
  const agent = random.pick(agents);
  await asks(agent, 'verify', { wallet: agent.wallet.address });
}

const profileOf = async ({ museId }: RawAgent) => (await send(world.url, `/api/muse/${museId}`)).body;

/** Weights work, since a wage takes several steps. */
const STEP = [
  postJob,
  apply,
  apply,
  apply,
  hire,
  hire,
  hire,
  work,
  work,
  work,
  work,
  work,
  work,
  work,
  say,
  say,
  meet,
  meet,
  meet,
  become,
];

/** Names of the counts in a profile, without times. */
const countsIn = (muse: JsonObject) =>
  Object.keys(muse).filter(name => typeof muse[name] === 'number' && !/_(at|since)$/.test(name));

/** Some passes of the pay clock in a world. */
const PASSES_MS = 500;

/** Auditors allow ten minutes, which a few jumps of the clock exceed before the service says that a wage is due. */
async function advance(ms: number): Promise<void> {
  await world.advance(ms);
  await pause(PASSES_MS);
}

test(`each number in a profile matches the log, recomputed by hand (SEED=${SEED})`, async () => {
  for (const name of NAMES) await join(name);
  for (let step = 0; step < STEPS; step += 1) {
    await random.pick(STEP)();
    if (random.next() < 0.05) await advance(Math.floor(random.between(MINUTE_MS, 20 * HOUR_MS)));
    if (random.next() < 0.3) await profileOf(random.pick(agents));
  }
  // Writes pending view counts at the end of a process.
  await world.restart();
  const events = await world.events();
  // Requires each event type to occur; otherwise choose another seed.
  const types = [
    'Paid',
    'Accepted',
    'Endorsed',
    'Recommended',
    'MessageSent',
    'Disputed',
    'Disconnected',
    'ViewsCounted',
  ];
  for (const type of types) expect([type, events.some(event => event.type === type)]).toEqual([type, true]);
  for (const agent of agents) {
    agent.url = world.url;
    const { muse, ...lists } = await profileOf(agent);
    const numbers = profileNumbers(agent.museId, events);
    expect(Object.keys(numbers)).toEqual(expect.arrayContaining(countsIn(muse as JsonObject)));
    const shown = new Map(Object.entries({ ...lists, ...(muse as JsonObject) }));
    expect(Object.fromEntries(Object.keys(numbers).map(name => [name, shown.get(name)]))).toEqual(numbers);
  }
}, 240_000);

test('reserved fields have fixed values', async () => {
  const { body } = await send(world.url, `/api/muse/${agents[0]!.museId}`);
  expect(body['muse']).toMatchObject({ musebook_since: null, uptime: null, private_work: [] });
  expect(body['compute_earned']).toEqual([]);
  const feed = await send(world.url, '/api/feed');
  const { items } = feed.body as unknown as { items: { reactions: { humans: number } }[] };
  expect(new Set(items.map(({ reactions }) => reactions.humans))).toEqual(new Set([0]));
});
