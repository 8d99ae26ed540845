import { describe, expect, test } from '@jest/globals';
import { History, STATES_MAX, StateTooOldError } from '#libs/audit/history.js';
import { Claimed } from '#libs/domain/claim.js';
import { Muse, TokenIssued } from '#libs/domain/muse.js';
import { asEvents } from '../../given.js';
import { told } from '../features/worlds.js';

const STREAM = 'muse-agent_worker0000';
const tokens = (muse: Muse) => (muse.status === 'unknown' ? null : muse.tokens.size);

function historyOf(issued: number): History {
  const history = new History();
  const token = (at: number) => TokenIssued({ muse_id: 'agent_worker0000', hash: `${at}`, expires_at: at });
  const facts = [told('Registered'), ...Array.from({ length: issued }, (_, at) => token(at))];
  for (const event of asEvents(facts, STREAM)) history.applyEvent(event);
  return history;
}

describe('a history', () => {
  test('returns the state of a stream at each revision', () => {
    const history = historyOf(3);
    expect(history.latestRevision(STREAM)).toBe(3);
    expect([-1, 0, 1, 2, 3].map(revision => tokens(history.stateAt(STREAM, revision, Muse)))).toEqual([
      null,
      0,
      1,
      2,
      3,
    ]);
    expect(tokens(history.latestState(STREAM, Muse))).toBe(3);
  });

  test('returns the initial state of an unknown stream', () => {
    const history = historyOf(0);
    expect(history.latestRevision('muse-agent_other00000')).toBe(-1);
    expect(history.stateAt('muse-agent_other00000', 7, Muse)).toBe(Muse.initial);
  });

  test('counts the revisions of a stream without a state', () => {
    const history = historyOf(0);
    const claim = Claimed({ kind: 'name', owner: STREAM, event: 'an-event', payment: null });
    for (const event of asEvents([claim, claim], 'claim-name-x')) history.applyEvent(event);
    expect(history.latestRevision('claim-name-x')).toBe(1);
  });

  test('keeps the newest states of a long stream and rejects older revisions', () => {
    const history = historyOf(2 * STATES_MAX);
    expect(tokens(history.stateAt(STREAM, 2 * STATES_MAX, Muse))).toBe(2 * STATES_MAX);
    expect(tokens(history.stateAt(STREAM, STATES_MAX + 1, Muse))).toBe(STATES_MAX + 1);
    expect(() => history.stateAt(STREAM, 1, Muse)).toThrow(StateTooOldError);
  });
});
