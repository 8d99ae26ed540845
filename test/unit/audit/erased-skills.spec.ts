import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { DECISIONS } from '#libs/service/decision-table.js';
import type { Decision } from '#libs/endpoints/decision.js';
import { ProfileUpdated, Muse } from '#libs/domain/muse.js';
import { endorse } from '#libs/features/network/endorse.js';
import { updateProfile } from '#libs/features/identity/update-profile.js';
import { decideAgain, fromJson, type RecordedDecision } from '../../vectors/recorded-decisions.js';
import { given, stateOf } from '../../given.js';
import { decisionFile } from '../../world/record-decisions.js';
import { decides } from '../features/deciding.js';
import { POSTER, told, joined, WORKER } from '../features/worlds.js';

const erased = [told('Registered', { muse_id: WORKER, skills: null }), joined];

function withoutSkills({ others, ...recorded }: RecordedDecision): RecordedDecision {
  const states = Object.entries(others).map(([stream, state]) => [
    stream,
    stream.startsWith(Muse.streamName('')) ? { ...(state as object), skills: null } : state,
  ]);
  return { ...recorded, others: Object.fromEntries(states) as RecordedDecision['others'] };
}

function replaysWithoutSkills(name: string) {
  const decision = DECISIONS.get(name) as Decision;
  const recorded = fromJson(readFileSync(decisionFile(decision), 'utf8'));
  const written = recorded.filter(({ outcome }) => 'facts' in outcome && outcome.facts.length > 0);
  return written.map(each => ({ recorded: each.outcome, again: decideAgain(decision, withoutSkills(each)) }));
}

test('an endorsement is not decided again once the skills that it read are erased', () => {
  const outcomes = replaysWithoutSkills('endorse@1').map(({ again }) => again);
  expect(outcomes).toContainEqual({ refused: 'undecided' });
  expect(outcomes.filter(outcome => 'refused' in outcome && outcome.refused !== 'undecided')).toEqual([]);
});

test('an offer is decided again with the skills that it names once they are erased', () => {
  const replays = replaysWithoutSkills('offer-job@1');
  expect(replays.length).toBeGreaterThan(0);
  for (const { recorded, again } of replays) expect(again).toEqual(recorded);
});

test('an endorsement is refused for a muse whose skills did not come with an import', () => {
  const reads = { other: stateOf(Muse, ...erased), connection: { status: 'connected' } };
  given(Muse)
    .when(decides(endorse, { to: WORKER, skill: 'french' }, POSTER, { reads }))
    .thenRefused('skill', 'skill');
});

test('an update of a profile takes erased skills for none, like cleared ones', () => {
  const by = (sent: { readonly skills: string }) => decides(updateProfile, sent, WORKER, { given: [] });
  given(Muse, ...erased)
    .when(by({ skills: '' }))
    .thenNothing();
  given(Muse, ...erased)
    .when(by({ skills: 'french' }))
    .then(ProfileUpdated({ muse_id: WORKER, skills: ['french'] }));
});
