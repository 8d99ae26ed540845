import { describe, expect, test } from '@jest/globals';
import { projectJoin } from '#libs/features/projects/project-join.js';
import { projectLeave } from '#libs/features/projects/project-leave.js';
import { projectUpdate } from '#libs/features/projects/project-update.js';
import { project } from '#libs/features/projects/project.js';
import { job } from '#libs/features/jobs/post-job.js';
import type { RequestFields } from '#libs/kernel/event.js';
import { IdCollision } from '#libs/kernel/ids.js';
import { Job } from '#libs/features/jobs/domain/job.js';
import { Muse } from '#libs/domain/muse.js';
import { Project } from '#libs/features/projects/domain/project.js';
import { PROJECT } from '../../vectors/event-story.js';
import { given, stateOf } from '../../given.js';
import { decides, testDecisions, testRefusals } from './deciding.js';
import * as world from './worlds.js';

const { CHECKER, POSTER, STRANGER, WORKER } = world;
const texts = { name: 'Handbook', one_line: 'A handbook for agents.', about: 'What an agent needs to know.' };
const created = (changed: object = {}) => world.told('ProjectCreated', changed);
const joined = (muse_id = WORKER) => world.told('ProjectJoined', { muse_id });
const archived = world.told('ProjectUpdated', { status: 'archived', was: 'active', co_founder: undefined });

describe('creating a project', () => {
  const create = (fields: RequestFields = {}, reads: object = {}, fault: unknown = null) =>
    decides(project, { ...texts, ...fields }, POSTER, { reads, given: fault });

  const facts = { ...texts, co_founder: null, repo_url: '', looking_for: '', entry: expect.any(Number) };
  testDecisions(Project, {}, [['leaves fields empty that were not sent', [], create(), { ProjectCreated: facts }]]);

  const unknown = create({ co_founder: WORKER }, { coFounder: Muse.initial });
  const privateUrl = create({ repo_url: 'https://10.0.0.1/a/b' }, {}, 'private_address');
  testRefusals(Project, [
    ['for a name whose slug is taken', [created()], create(), 'slug_taken', 'name'],
    ['for a taken slug', [created()], create({ slug: PROJECT }), 'slug_taken', 'slug'],
    ['if the co-founder is the founder', [], create({ co_founder: POSTER }), 'co_founder', 'co_founder'],
    ['for an unknown co-founder', [], unknown, 'not_found', 'co_founder'],
    ['for a repository address that the service may not read', [], privateUrl, 'repo_url', 'repo_url'],
  ]);

  test('throws if a generated slug is taken', () => {
    given(Project, created())
      .when(create({ name: '手引き' }))
      .thenThrows(IdCollision);
  });
});

describe('changing a project', () => {
  const url = 'https://github.com/handbook/handbook';
  const repo = { fault: null, checked: null };
  const update = (fields: RequestFields, actor = POSTER, around: object = {}) =>
    decides(projectUpdate, { project: PROJECT, ...fields }, actor, { given: { ...repo, ...around } });
  const checked = (claim: object, at: string | null = url) => ({ checked: { url: at, claim } });

  test('writes one event with only the changed fields', () => {
    given(Project, created())
      .when(update({ name: texts.name, status: 'active', co_founder: '' }))
      .thenNothing();
    const [fact] = given(Project, created())
      .when(update({ name: texts.name, needs: 'Hands', looking_for: '', status: 'finished' }))
      .thenTypes('ProjectUpdated');
    expect(Object.keys(fact!.data as object).sort()).toEqual(
      ['entry', 'founder', 'looking_for', 'needs', 'project', 'status', 'status_entry', 'was'].sort(),
    );
  });

  test('is replayed with the fields of its event after an erasure', () => {
    const erased = created({ one_line: null, about: null });
    const both = { one_line: texts.one_line, about: '' };
    given(Project, erased).when(update(both)).thenRefused('about', 'about');
    const sent = { one_line: texts.one_line, needs: 'Hands' };
    const [service] = given(Project, erased).when(update(sent)).thenTypes('ProjectUpdated');
    expect(service!.data).toMatchObject(sent);
    const [again] = given(Project, erased)
      .when(update(sent, POSTER, { written: ['project', 'needs'] }))
      .thenTypes('ProjectUpdated');
    expect(again!.data).not.toHaveProperty('one_line');
  });

  const needs = (actor?: string) => update({ needs: 'Hands' }, actor);
  const check = (around: object) => update({ repo_check: '1' }, POSTER, around);
  const source = { outcome: 'found', source: 'github' };
  const changed = { needs: 'Hands', co_founder: undefined, milestone: undefined, entry: expect.any(Number) };
  testDecisions(Project, {}, [
    [
      'is open to a co-founder that has joined',
      [created({ co_founder: WORKER }), world.told('ProjectJoined', { muse_id: WORKER })],
      needs(WORKER),
      { ProjectUpdated: changed },
    ],
    [
      'verifies a repository by a claim',
      [created()],
      check(checked(source)),
      { RepoVerified: { entry: expect.any(Number) } },
    ],
  ]);

  const history = [created()];
  const elsewhere = check(checked(source, 'https://github.com/other/one'));
  const missing = check(checked({ outcome: 'missing', at: url, problem: 'status 404' }));
  const unreachable = check(checked({ outcome: 'unreachable', at: url, problem: 'timeout' }));
  const unsupported = check(checked({ outcome: 'unsupported' }));
  testRefusals(Project, [
    ['to a member', [created(), joined()], needs(WORKER), 'not_the_founder'],
    ['without a name', [created()], update({ name: '' }), 'name', 'name'],
    ['if the co-founder is the founder', [created()], update({ co_founder: POSTER }), 'co_founder', 'co_founder'],
    ['for an unknown project', [], needs(), 'not_found', 'project'],
    ['for a claim at another address', history, elsewhere, 'busy'],
    ['for a repository without the claim', history, missing, 'claim_not_found'],
    ['for a repository that cannot be read', history, unreachable, 'repo_unreachable'],
    ['for a repository of an unknown host', history, unsupported, 'repo_url', 'repo_url'],
    ['for a check without a repository', history, check({}), 'repo_url', 'repo_url'],
  ]);

  test('changing a project ends the verification if the address changes', () => {
    const moved = world.told('ProjectUpdated', { repo_url: 'https://github.com/other/one' });
    expect(stateOf(Project, created(), world.told('RepoVerified'))).toMatchObject({ verified: { source: 'github' } });
    expect(stateOf(Project, created(), world.told('RepoVerified'), moved)).toMatchObject({ verified: null });
  });
});

describe('membership in a project', () => {
  const join = (actor: string) => decides(projectJoin, { project: PROJECT }, actor);
  const leave = (actor: string) => decides(projectLeave, { project: PROJECT }, actor);

  const led = [created({ co_founder: CHECKER })];
  const handover = { heir: CHECKER, muse_id: POSTER, joined: true };
  testDecisions(Project, { ProjectJoined: { entry: expect.any(Number) }, ProjectLeft: { entry: expect.any(Number) } }, [
    ['starts in an open project', [created()], join(WORKER), { ProjectJoined: { co_founder: null } }],
    ['starts once', [created(), joined()], join(WORKER), {}],
    ['starts for the founder with the project', [created()], join(POSTER), {}],
    [
      'ends for a founder if a co-founder has joined',
      [...led, joined(CHECKER)],
      leave(POSTER),
      { ProjectLeft: { ...handover, status: 'active' } },
    ],
    ['ends without effect for a muse that is not a member', [created()], leave(STRANGER), {}],
  ]);

  testRefusals(Project, [
    ['in an archived project', [created(), archived], join(WORKER), 'project_closed', 'project'],
    ['in an unknown project', [], join(WORKER), 'not_found', 'project'],
    ['to leave an unknown project', [], leave(WORKER), 'not_found', 'project'],
    ['to a founder who leaves without a co-founder', [created()], leave(POSTER), 'founder_needed'],
    ['to a founder who leaves before the co-founder joins', led, leave(POSTER), 'founder_needed'],
  ]);

  test('passes to the co-founder', () => {
    const left = world.told('ProjectLeft', handover);
    const after = stateOf(Project, ...led, joined(CHECKER), left);
    expect(after).toMatchObject({ founder: CHECKER, coFounder: null, members: { size: 1 } });
  });

  test('allows jobs for the project while it is open', () => {
    const fields = {
      title: 'A page',
      summary: 'One page of the handbook.',
      done: 'A page is there.',
      project: PROJECT,
    };
    const post = (actor: string, ...facts: Parameters<typeof stateOf>[1][]) =>
      given(Job).when(decides(job, fields, actor, { reads: { project: stateOf(Project, ...facts) } }));
    post(WORKER, created(), joined()).thenTypes('JobPosted');
    post(CHECKER, created({ co_founder: CHECKER })).thenTypes('JobPosted');
    post(STRANGER, created()).thenRefused('not_a_member', 'project');
    post(POSTER, created(), archived).thenRefused('project_closed', 'project');
    post(POSTER).thenRefused('not_found', 'project');
  });
});
