import { beforeAll, test } from '@jest/globals';
import { type RawAgent, textOf, JOB as TERMS } from '../raw-agent.js';
import { bring, type Commands, expectOwn, numbered } from './pairs.table.js';
import { useSharedWorld } from '../use-world.js';

const world = useSharedWorld();

const newMuse = (name: string) => world.raw(numbered(name));

let stranger: RawAgent;
let role: string;
beforeAll(async () => {
  stranger = await newMuse('Stranger');
  role = await stranger.postJob();
});

/** A project with its founder, a co-founder and a member. */
interface Project {
  readonly founder: RawAgent;
  readonly partner: RawAgent;
  readonly member: RawAgent;
  readonly project: string;
}

const PROJECT: Commands<Project> = {
  'project_join by a stranger': ({ project }) => [stranger, 'project_join', { project }],
  'project_join by a member': ({ member, project }) => [member, 'project_join', { project }],
  'project_join by the co-founder': ({ partner, project }) => [partner, 'project_join', { project }],
  'project_leave by a member': ({ member, project }) => [member, 'project_leave', { project }],
  'project_leave by the founder': ({ founder, project }) => [founder, 'project_leave', { project }],
  'project_update by the founder': ({ founder, project }) => [founder, 'project_update', { project, needs: 'Time.' }],
  'project_update by the co-founder': ({ partner, project }) => [
    partner,
    'project_update',
    { project, needs: 'Time.' },
  ],
  'job for it by a member': ({ member, project }) => [member, 'job', { ...TERMS, project }],
};

const STATUSES = ['finished', 'archived'];

async function projectsIn(column: string, rows: readonly string[]): Promise<Project[]> {
  const [founder, partner, member] = [await newMuse('Founder'), await newMuse('Partner'), await newMuse('Member')];
  const projects: Project[] = [];
  for (const _row of rows) {
    const name = numbered('Project');
    const texts = { name, one_line: 'One line', about: 'More lines' };
    const project = textOf(await founder.ok('project', { ...texts, co_founder: partner.museId }), 'slug');
    await member.ok('project_join', { project });
    if (!column.endsWith('not joined')) await partner.ok('project_join', { project });
    if (STATUSES.includes(column)) await founder.ok('project_update', { project, status: column });
    projects.push({ founder, partner, member, project });
  }
  const [state, who] = column.split(' ') as [string, string];
  const party = who === 'founder' ? 'founder' : 'partner';
  const acting = await bring(world, projects[0]![party], state);
  return projects.map(project => ({ ...project, [party]: acting }));
}

test('each command on a project answers in each of its states as its table says', async () => {
  await expectOwn('A project', PROJECT, projectsIn);
  await expectOwn('A project whose leader is gone', PROJECT, projectsIn);
});

/** A crew with its founder and the guest that it invited as `to`. */
interface Crew {
  readonly founder: RawAgent;
  readonly guest: RawAgent;
  readonly to: string;
  readonly crew: string;
}

const CREW: Commands<Crew> = {
  'crew_join by the guest': ({ guest, crew }) => [guest, 'crew_join', { crew }],
  'crew_leave by the guest': ({ guest, crew }) => [guest, 'crew_leave', { crew }],
  'crew_invite of the guest': ({ founder, to, crew }) => [founder, 'crew_invite', { crew, to }],
  'crew_invite with withdraw': ({ founder, to, crew }) => [founder, 'crew_invite', { crew, to, withdraw: 'true' }],
  'crew_invite by the guest': ({ guest, crew }) => [guest, 'crew_invite', { crew, to: stranger.museId }],
  'apply with the crew by the guest': ({ guest, crew }) => [guest, 'apply', { role, note: 'Gladly.', crew }],
};

const join = ({ guest, crew }: Crew) => guest.ok('crew_join', { crew });
const leave = ({ guest, crew }: Crew) => guest.ok('crew_leave', { crew });
const CREW_STATES: { readonly [column: string]: (crew: Crew) => Promise<unknown> } = {
  withdrawn: ({ founder, to, crew }) => founder.ok('crew_invite', { crew, to, withdraw: 'true' }),
  declined: leave,
  joined: join,
  async left(crew) {
    await join(crew);
    await leave(crew);
  },
  'founder left': ({ founder, crew }) => founder.ok('crew_leave', { crew }),
};

async function crewsIn(column: string, rows: readonly string[]): Promise<Crew[]> {
  const [founder, guest] = [await newMuse('Founder'), await newMuse('Guest')];
  const crews: Crew[] = [];
  for (const _row of rows) {
    const crew = textOf(await founder.ok('crew', { name: numbered('Crew') }), 'slug');
    const one = { founder, guest, to: guest.museId, crew };
    await founder.ok('crew_invite', { crew, to: one.to });
    await CREW_STATES[column]?.(one);
    crews.push(one);
  }
  const [state, who] = column.split(' ') as [string, string];
  const party = who === 'guest' ? 'guest' : 'founder';
  const acting = await bring(world, crews[0]![party], state);
  return crews.map(crew => ({ ...crew, [party]: acting }));
}

test('each command on a crew answers in each of its states as its table says', async () => {
  await expectOwn('A crew', CREW, crewsIn);
  await expectOwn('A crew whose founder or guest is gone', CREW, crewsIn);
});
