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
import { decides } from './deciding.js';
import * as world from './worlds.js';

const { CHECKER, POSTER, STRANGER, WORKER } = world;
const said = { name: 'Handbook', one_line: 'A handbook for agents.', about: 'What an agent needs to know.' };
const created = (changed: object = {}) => world.told('ProjectCreated', changed);
const joined = (muse_id = WORKER) => world.told('ProjectJoined', { muse_id });
const archived = world.told('ProjectUpdated', { status: 'archived', was: 'active', co_founder: undefined });

describe('creating a project', () => {
  const create = (fields: RequestFields = {}, reads: object = {}, fault: unknown = null) =>
    decides(project, { ...said, ...fields }, POSTER, { reads, given: fault });

  test('leaves fields empty that were not sent', () => {
    const [fact] = given(Project).when(create()).thenTypes('ProjectCreated');
    expect(fact!.data).toMatchObject({ ...said, project: PROJECT, founder: POSTER, co_founder: null, repo_url: '' });
  });

  test('refuses a taken slug, and throws if a generated slug is taken', () => {
    given(Project, created()).when(create()).thenRefused('slug_taken', 'name');
    given(Project, created())
      .when(create({ slug: PROJECT }))
      .thenRefused('slug_taken', 'slug');
    given(Project, created())
      .when(create({ name: '手引き' }))
      .thenThrows(IdCollision);
  });

  test('needs an existing co-founder other than the founder', () => {
    given(Project)
      .when(create({ co_founder: POSTER }))
      .thenRefused('co_founder', 'co_founder');
    given(Project)
      .when(create({ co_founder: WORKER }, { coFounder: Muse.initial }))
      .thenRefused('not_found', 'co_founder');
  });

  test('refuses a repository address that the service may not read', () => {
    given(Project)
      .when(create({ repo_url: 'https://10.0.0.1/a/b' }, {}, 'private_address'))
      .thenRefused('repo_url', 'repo_url');
  });
});

describe('changing a project', () => {
  const url = 'https://github.com/handbook/handbook';
  const found = { fault: null, checked: null };
  const update = (fields: RequestFields, actor = POSTER, around: object = {}) =>
    decides(projectUpdate, { project: PROJECT, ...fields }, actor, { given: { ...found, ...around } });
  const checked = (claim: object, at: string | null = url) => ({ checked: { url: at, claim } });

  test('writes one event with only the changed fields', () => {
    given(Project, created())
      .when(update({ name: said.name, status: 'active', co_founder: '' }))
      .thenNothing();
    const [fact] = given(Project, created())
      .when(update({ name: said.name, needs: 'Hands', looking_for: '', status: 'finished' }))
      .thenTypes('ProjectUpdated');
    expect(Object.keys(fact!.data as object).sort()).toEqual(
      ['entry', 'founder', 'looking_for', 'needs', 'project', 'status', 'status_entry', 'was'].sort(),
    );
  });

  test('is replayed with the fields of its event after an erasure', () => {
    const erased = created({ one_line: null, about: null });
    const both = { one_line: said.one_line, about: '' };
    given(Project, erased).when(update(both)).thenRefused('about', 'about');
    const sent = { one_line: said.one_line, needs: 'Hands' };
    const [service] = given(Project, erased).when(update(sent)).thenTypes('ProjectUpdated');
    expect(service!.data).toMatchObject(sent);
    const [again] = given(Project, erased)
      .when(update(sent, POSTER, { written: ['project', 'needs'] }))
      .thenTypes('ProjectUpdated');
    expect(again!.data).not.toHaveProperty('one_line');
  });

  test('is refused unless a founder or co-founder changes it', () => {
    given(Project, created(), joined())
      .when(update({ needs: 'Hands' }, WORKER))
      .thenRefused('not_the_founder');
    given(Project, created({ co_founder: WORKER }))
      .when(update({ needs: 'Hands' }, WORKER))
      .thenTypes('ProjectUpdated');
    given(Project)
      .when(update({ needs: 'Hands' }))
      .thenRefused('not_found', 'project');
  });

  test('verifies a repository by a claim at its current address', () => {
    const check = (around: object) => given(Project, created()).when(update({ repo_check: '1' }, POSTER, around));
    check(checked({ outcome: 'found', source: 'github' })).thenTypes('RepoVerified');
    check(checked({ outcome: 'found', source: 'github' }, 'https://github.com/other/one')).thenRefused('busy');
    check(checked({ outcome: 'missing', at: url, problem: 'status 404' })).thenRefused('claim_not_found');
    check(checked({ outcome: 'unreachable', at: url, problem: 'timeout' })).thenRefused('repo_unreachable');
    check(checked({ outcome: 'unsupported' })).thenRefused('repo_url', 'repo_url');
    check({}).thenRefused('repo_url', 'repo_url');
  });

  test('ends the verification if the address changes', () => {
    const moved = world.told('ProjectUpdated', { repo_url: 'https://github.com/other/one' });
    expect(stateOf(Project, created(), world.told('RepoVerified'))).toMatchObject({ verified: { source: 'github' } });
    expect(stateOf(Project, created(), world.told('RepoVerified'), moved)).toMatchObject({ verified: null });
  });
});

describe('membership in a project', () => {
  const join = (actor: string) => decides(projectJoin, { project: PROJECT }, actor);
  const leave = (actor: string) => decides(projectLeave, { project: PROJECT }, actor);

  test('starts once, in an open project', () => {
    given(Project, created()).when(join(WORKER)).thenTypes('ProjectJoined');
    given(Project, created(), joined()).when(join(WORKER)).thenNothing();
    given(Project, created()).when(join(POSTER)).thenNothing();
    given(Project, created(), archived).when(join(WORKER)).thenRefused('project_closed', 'project');
    given(Project).when(join(WORKER)).thenRefused('not_found', 'project');
  });

  test('ends for a founder only if a joined co-founder takes over', () => {
    given(Project, created()).when(leave(POSTER)).thenRefused('founder_needed');
    given(Project, created({ co_founder: CHECKER }))
      .when(leave(POSTER))
      .thenRefused('founder_needed');
    const left = given(Project, created({ co_founder: CHECKER }), joined(CHECKER)).when(leave(POSTER));
    const [fact] = left.thenTypes('ProjectLeft');
    expect(fact!.data).toMatchObject({ heir: CHECKER, muse_id: POSTER, joined: true });
    const after = stateOf(Project, created({ co_founder: CHECKER }), joined(CHECKER), fact!);
    expect(after).toMatchObject({ founder: CHECKER, coFounder: null, members: { size: 1 } });
  });

  test('ends without effect for a muse that is not a member', () => {
    given(Project, created()).when(leave(STRANGER)).thenNothing();
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
