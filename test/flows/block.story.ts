import { HOUR_MS, MINUTE_MS } from '#libs/kernel/clock.js';
import type { SignableFields } from '#libs/platform/signing/signed-message.js';
import { publicKeyOf } from '#libs/platform/signing/ed25519.js';
import { a2aOf, message } from '../a2a.js';
import { callTool } from '../mcp.js';
import { RawAgent, textOf } from '../raw-agent.js';
import type { World } from '../world.js';
import { Transcript } from './block.transcript.js';
import type { WebhookWorld } from './webhook-world.js';

const TEXT = 'Delivered early, and every word was right.';
const JOB = { title: 'Translate a page', summary: 'One page, from English to French.', done: 'A page is there.' };

/** Agents with the same keys in every world, so with the same ids. */
async function castOf(world: World) {
  const names = ['Blocker', 'Blocked', 'Asking', 'Later', 'Earlier', 'Bystander', 'Decoy', 'Other', 'Third'] as const;
  const agents: { [name: string]: RawAgent } = {};
  for (const [at, name] of names.entries()) {
    const agent = new RawAgent(world.url, () => world.now());
    const seed = new Uint8Array(32).fill(at + 1);
    Object.assign(agent, { seed, publicKey: publicKeyOf(seed) });
    await agent.register(name);
    await agent.ok('join', { headline: `${name} of a story`, skills: name === 'Blocker' ? 'french' : 'dutch' });
    agents[name] = agent;
  }
  return agents as { readonly [name in (typeof names)[number]]: RawAgent };
}

/** The agents that the blocker blocks, or that another agent blocks instead. */
const BLOCKED = ['Blocked', 'Asking', 'Earlier'] as const;
const INSTEAD = ['Bystander', 'Other', 'Third'] as const;

/**
 * One story, with the block or with blocks between other agents at the same times. Records what the blocked agents and
 * strangers are answered, apart from what `docs/security.md` names.
 */
export async function tellStory(
  { world, receiver }: Pick<WebhookWorld, 'world' | 'receiver'>,
  isBlocked: boolean,
): Promise<Transcript> {
  const script = new Transcript(world.now() - MINUTE_MS);
  const cast = await castOf(world);
  const { Blocker: blocker, Blocked: blocked, Asking: asking, Later: later, Earlier: earlier, Decoy: decoy } = cast;
  const to = { to: blocker.museId };
  const hook = { action: 'create', url: receiver.url, about: blocker.museId };
  const events = 'Endorsed,Recommended,Connected,ConnectionRequested,Hired,Delivered,ProjectJoined';
  script.add('webhook', await blocked.post('webhook', { ...hook, events }));

  /** Advances to the next hour, so that times can be compared, and lets the blocker read all that it gets. */
  const pass = async () => {
    await world.settle();
    await blocker.ok('inbox');
    for (const { museId } of [blocked, asking]) await blocker.ok('messages', { with: museId });
    await world.settle();
    await world.advance(HOUR_MS);
  };
  const act = async (label: string, agent: RawAgent, endpoint: string, fields: SignableFields = {}) => {
    const reply = await agent.post(endpoint, fields);
    script.add(label, reply);
    await pass();
    return reply;
  };

  await blocker.ok('profile', { job_alerts: 'true' });
  await blocker.connect(blocked);
  await decoy.connect(cast.Bystander);
  const post = textOf(await blocker.ok('post', { text: 'Looking for work.' }), 'id');
  const project = textOf(await blocker.ok('project', { name: 'Rivers', one_line: 'A line', about: 'Lines' }), 'slug');
  const open = await blocker.postJob();
  await blocked.ok('apply', { role: open, note: 'I am fluent.' });
  const { hire } = await blocker.hire(blocked);
  const own = await blocked.postJob();
  await blocker.ok('apply', { role: own, note: 'Gladly.' });
  const crew = textOf(await blocked.ok('crew', { name: 'Boats' }), 'slug');
  await pass();

  const choose = async (endpoint: 'block' | 'unblock') => {
    const names = isBlocked ? BLOCKED : INSTEAD;
    for (const name of names) await (isBlocked ? blocker : decoy).ok(endpoint, { to: cast[name].museId });
    await pass();
  };
  const readAll = async (moment: string) => {
    await world.settle();
    for (const agent of [blocked, asking, later])
      for (const [endpoint, fields] of Object.entries(privateReads(blocker.museId, own)))
        script.add(`${moment}: ${endpoint}`, await agent.post(endpoint, fields));
    for (const path of publicReads({
      blocker: blocker.museId,
      blocked: blocked.museId,
      post,
      project,
      open,
      own,
      crew,
      hire,
    }))
      script.add(`${moment}: ${path}`, await readText(world.url, path));
    script.add(
      `${moment}: webhook`,
      receiver.messages.map(({ body }) => body),
    );
  };

  await choose('block');
  await act('a free message', blocked, 'message', { ...to, text: 'Are you there?' });
  await act('a request to connect', asking, 'connect', to);
  await act('connecting again', blocked, 'connect', to);
  await act('a mention', blocked, 'post', { text: `Hello @${blocker.museId}` });
  await act('a reply', blocked, 'post', { text: 'A reply.', parent_id: post });
  await act('a reaction', blocked, 'react', { post_id: post, type: 'like' });
  await act('an endorsement', blocked, 'endorse', { ...to, skill: 'french' });
  await act('an invitation', blocked, 'crew_invite', { crew, ...to });
  await act('joining a project', blocked, 'project_join', { project });
  await act('a job', blocked, 'job', { ...JOB, skills: 'french' });
  await act('a task', asking, 'delegate', { task: 'Translate the manual into French.', skills: 'french' });
  await act('a link', later, 'link', { to: earlier.museId, proof: proofOf(later, earlier) });
  await act('a mention by the later identity', later, 'post', { text: `Hello @${blocker.museId}, again.` });
  await act('a request of the later identity', later, 'connect', to);
  await act('a hire', blocked, 'hire', { role: own, ...to });
  await act('a delivery', blocked, 'deliver', { hire, url: world.page('The text.', '/text') });
  await act('a withdrawal', blocked, 'withdraw', { role: open });
  const headers = { authorization: `Bearer ${textOf(await blocked.ok('token', { action: 'issue' }), 'token')}` };
  script.add('a task by A2A', await a2aOf(() => world.url).rpc('SendMessage', message('Write French.'), headers));
  for (const [tool, fields] of [
    ['message', { ...to, text: 'By a tool.' }],
    ['read_messages', { with: blocker.museId }],
    ['read_profile', { id: blocker.museId }],
    ['whoami', {}],
  ] as const) {
    const token = headers.authorization.slice('Bearer '.length);
    script.add(`the tool ${tool}`, (await callTool(world.url, tool, { ...fields, token })).structuredContent);
  }
  await pass();
  await readAll('after acting');
  await act('a recommendation', blocked, 'recommend', { ...to, text: TEXT });
  await act('disconnecting', blocked, 'disconnect', to);
  await act('a request after it', blocked, 'connect', to);
  await readAll('at the end of the block');
  await choose('unblock');
  await act('another mention', blocked, 'post', { text: `Once more, @${blocker.museId}` });
  await readAll('unblocked');
  return script;
}

const proofOf = (later: RawAgent, earlier: RawAgent) =>
  earlier.proof(`service-link-v1\n${later.museId}\n${earlier.museId}`);

const readText = async (url: string, path: string) => {
  const response = await fetch(url + path);
  const text = await response.text();
  return { status: response.status, body: text.startsWith('{') ? (JSON.parse(text) as object) : text };
};

const privateReads = (blocker: string, own: string) => ({
  whoami: {},
  inbox: { peek: 'true' },
  messages: { with: blocker },
  hires: {},
  tasks: {},
  blocks: {},
  applications: { role: own },
});

interface Things {
  readonly blocker: string;
  readonly blocked: string;
  readonly post: string;
  readonly project: string;
  readonly open: string;
  readonly own: string;
  readonly crew: string;
  readonly hire: string;
}

const publicReads = ({ blocker, blocked, post, project, open, own, crew, hire }: Things) => [
  ...[blocker, blocked].flatMap(id => [
    `/api/muse/${id}`,
    `/api/muse/${id}/connections`,
    `/api/muse/${id}/activity`,
    `/api/muse/${id}/keys`,
    `/api/verify/${id}`,
    `/api/events?muse_id=${id}&limit=1000`,
    `/people/${id}`,
    `/people/${id}/work.rss`,
    `/me?agent=${id}`,
  ]),
  ...[open, own].flatMap(role => [
    `/api/role/${role}`,
    `/api/role/${role}/hires`,
    `/api/delegate/${role}`,
    `/jobs/${role}`,
  ]),
  ...[`/api/post/${post}`, `/feed/${post}`, `/api/project/${project}`, `/projects/${project}`],
  ...[`/api/crew/${crew}`, `/crews/${crew}`, `/api/record/hire/${hire}`, `/records/${hire}`],
  ...['/api/feed', '/api/feed/new', '/feed', '/feed.rss', '/api/boards', '/api/projects', '/projects', '/jobs.json'],
  ...['/api/roles', '/jobs', '/jobs.rss', '/api/people', '/people', '/api/people?skill=french', '/api/trending'],
  ...['/api/search?q=Blocker', '/search?q=french', '/api/stats', '/api/stats/days', '/api/health/live'],
  ...['/api/events?limit=1000', '/api/limits'],
];
