import { beforeAll, expect, test } from '@jest/globals';
import type { SignableFields } from '#libs/platform/signing/signed-message.js';
import { DescribedService } from '../described-service.js';
import { binding, naming } from '../recovery-keys.js';
import { RawAgent, textOf } from '../raw-agent.js';
import { bring, command, expectTable, numbered, readTable, type Try } from './pairs.table.js';
import { useSharedWorld } from '../use-world.js';

const world = useSharedWorld();
const STATES = ['suspended', 'linked', 'forgotten'];

let api: DescribedService;
let commands: readonly string[];
beforeAll(async () => {
  api = await DescribedService.of(world.url);
  commands = api.operations.filter(({ method }) => method === 'post').map(({ path }) => path.replace('/api/', ''));
});

const newMuse = (name: string) => world.raw(numbered(name));
async function museIn(state: string): Promise<RawAgent> {
  const muse = await newMuse('Muse');
  await bring(world, muse, state);
  return muse;
}

const exampleOf = (path: string) =>
  api.operations.find(operation => operation.method === 'post' && operation.path === `/api/${path}`)!.request!
    .example as SignableFields;

/** Fields that fit the caller, where the example of the description does not. */
function fieldsOf(path: string, as: RawAgent, role: string, other: RawAgent): SignableFields {
  const next = new RawAgent(world.url);
  const own: { readonly [path: string]: SignableFields } = {
    forget: { confirm: as.museId },
    key: binding(next, as.museId),
    recovery: naming(next, as.museId),
    recover: binding(next, as.museId),
    link: { to: other.museId, proof: other.proof(`service-link-v1\n${as.museId}\n${other.museId}`) },
    applications: { role },
    tasks: {},
    messages: { with: other.museId },
  };
  if (path === 'register' || path === 'identity') return { ...exampleOf(path), public_key: as.publicKey };
  return own[path] ?? exampleOf(path);
}

test('each command answers a suspended, linked or forgotten caller as its table says', async () => {
  const callers = new Map<string, { readonly as: RawAgent; readonly role: string }>();
  for (const state of STATES) {
    const as = await newMuse('Muse');
    callers.set(state, { as, role: await as.postJob() });
    await bring(world, as, state);
  }
  const other = await newMuse('Other');
  const isChanging = (path: string) => ['key', 'recover', 'forget'].includes(path);
  const tryOf =
    (path: string): Try =>
    async state => {
      const { as, role } = callers.get(state)!;
      const caller = isChanging(path) ? await museIn(state) : as;
      return command(caller, path, fieldsOf(path, caller, role, other));
    };
  const tries = Object.fromEntries(commands.map(path => [path, tryOf(path)]));
  tries['token with revoke'] = async state => command(await museIn(state), 'token', { action: 'revoke' });
  await expectTable('The caller', tries);
});

test('each command towards a muse answers as its table says', async () => {
  const caller = await newMuse('Caller');
  const muses = new Map<string, { readonly [use: string]: RawAgent }>();
  const roles = new Map<string, string>();
  const crews = new Map<string, string>();
  for (const state of STATES) {
    const [free, connected, asking] = [await newMuse('Free'), await newMuse('Connected'), await newMuse('Asking')];
    await caller.connect(connected);
    await caller.ok('recommend', { to: connected.museId, text: 'Every word of it was right.' });
    await asking.ok('connect', { to: caller.museId });
    roles.set(state, await caller.postJob());
    await free.ok('apply', { role: roles.get(state)!, note: 'Gladly.' });
    crews.set(state, textOf(await caller.ok('crew', { name: numbered('Crew') }), 'slug'));
    await caller.ok('crew_invite', { crew: crews.get(state)!, to: connected.museId });
    for (const muse of [free, connected, asking]) await muse.ok('profile', { skills: 'french' });
    for (const muse of [free, connected, asking]) await bring(world, muse, state);
    muses.set(state, { free, connected, asking });
  }
  const idOf = (state: string, use: string) => muses.get(state)![use]!.museId;
  const to =
    (path: string, use: string, fields: SignableFields = {}): Try =>
    state =>
      command(caller, path, { ...fields, to: idOf(state, use) });
  const text = 'Delivered early, every word was right.';
  await expectTable('The named agent', {
    message: to('message', 'free', { text }),
    'message to a connection': to('message', 'connected', { text }),
    messages: state => command(caller, 'messages', { with: idOf(state, 'free') }),
    connect: to('connect', 'free'),
    'connect back': to('connect', 'asking'),
    endorse: to('endorse', 'connected', { skill: 'french' }),
    recommend: to('recommend', 'connected', { text }),
    'recommend with an empty text': to('recommend', 'connected', { text: '' }),
    disconnect: to('disconnect', 'connected'),
    crew_invite: state => command(caller, 'crew_invite', { crew: crews.get(state)!, to: idOf(state, 'free') }),
    'crew_invite with withdraw': state =>
      command(caller, 'crew_invite', { crew: crews.get(state)!, to: idOf(state, 'connected'), withdraw: 'true' }),
    'project with that co_founder': state =>
      command(caller, 'project', {
        name: numbered('With'),
        one_line: 'One line',
        about: 'More lines',
        co_founder: idOf(state, 'free'),
      }),
    'hire of an applicant': state => command(caller, 'hire', { role: roles.get(state)!, to: idOf(state, 'free') }),
    block: to('block', 'free'),
    unblock: to('unblock', 'free'),
    report: state => command(caller, 'report', { muse: idOf(state, 'free'), reason: 'spam' }),
  });
});

test('each command of the registry has a row', () => {
  const { rows } = readTable('The caller');
  expect(commands.filter(path => !rows.includes(path)).map(path => `${path} has no row in docs/pairs.md`)).toEqual([]);
});
