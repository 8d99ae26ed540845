import { describe, expect, test } from '@jest/globals';
import { REQUEST_RULES } from '#libs/service/decision-table.js';
import type { PublicEvent } from '#libs/audit/public-event.js';
import { formatImportCause } from '#libs/kernel/event.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { Forgotten, Muse } from '#libs/domain/muse.js';
import { HonestLog, verify, WORKER } from './honest-log.js';

type Change = (authorization: JsonObject) => JsonObject;
const objectOf = (value: unknown) => value as JsonObject;

const leaveOut: Change = authorization => ({ ...authorization, sealed: null });
const withhold: Change = ({ sealed, ...authorization }) => {
  const { value: _value, ...stored } = sealed as JsonObject;
  return { ...authorization, sealed: stored };
};

/** Replaces the authorization of some events, as a dishonest operator could. */
function changed(events: readonly PublicEvent[], isOne: (event: PublicEvent) => boolean, change: Change) {
  return events.map((event): PublicEvent =>
    isOne(event) ? { ...event, authorization: change(event.authorization as JsonObject) } : event,
  );
}

async function verified(events: readonly PublicEvent[]) {
  const { findings, claims } = await verify(events, { requests: REQUEST_RULES });
  const ofKind = (wanted: string) => findings.list.flatMap(({ kind, problem }) => (kind === wanted ? [problem] : []));
  return { problems: [...ofKind('signature'), ...ofKind('withheld')], contradictions: ofKind('decision'), claims };
}

const isAccepted = ({ type }: PublicEvent) => type === 'Accepted';
const isSigned = ({ authorization }: PublicEvent) => 'nonce' in objectOf(authorization);
const byWorker = (event: PublicEvent) => event.actor === WORKER && isSigned(event) && event.type !== 'Forgotten';

describe('a missing signature', () => {
  test('is reported if its author is not erased', async () => {
    const log = await HonestLog.told();
    const events = await log.shown();
    expect(await verified(events)).toMatchObject({ problems: [] });
    const { problems, claims } = await verified(changed(events, isAccepted, leaveOut));
    expect(problems).toEqual([expect.stringContaining('was stored without its signature')]);
    expect(claims.erased).toBe(0);
  });

  test('is reported if nothing explains why it is not shown', async () => {
    const log = await HonestLog.told();
    const { problems, claims } = await verified(changed(await log.shown(), isAccepted, withhold));
    expect(problems).toEqual([expect.stringContaining('Its signature is not shown')]);
    expect([claims.withheld, claims.private]).toEqual([1, 0]);
  });

  test('is not reported for private fields or for an unknown endpoint', async () => {
    const log = await HonestLog.told();
    const events = await log.shown();
    const isApplied = ({ type }: PublicEvent) => type === 'Applied';
    expect(await verified(changed(events, isApplied, withhold))).toMatchObject({
      problems: [],
      claims: { private: 1 },
    });
    const later: Change = authorization => withhold({ ...authorization, endpoint: 'a-later-one' });
    expect((await verified(changed(events, isAccepted, later))).problems).toEqual([]);
  });

  test('is not reported for an erased author', async () => {
    const log = await HonestLog.told();
    await log.signed(
      WORKER,
      Muse.streamName(WORKER),
      { endpoint: 'forget', fields: {} },
      Forgotten({ muse_id: WORKER, referred_by: null }),
    );
    for (const change of [leaveOut, withhold]) {
      const { problems, claims } = await verified(changed(await log.shown(), byWorker, change));
      expect(problems).toEqual([]);
      expect(claims.erased).toBeGreaterThan(2);
    }
  });

  test('is reported for the request of an erasure, which is stored in the clear', async () => {
    const log = await HonestLog.told();
    const request = { endpoint: 'forget', fields: { confirm: WORKER } };
    await log.signed(WORKER, Muse.streamName(WORKER), request, Forgotten({ muse_id: WORKER, referred_by: null }));
    const events = await log.shown();
    const isForgotten = ({ type }: PublicEvent) => type === 'Forgotten';
    const sealed: Change = ({ request: _request, ...authorization }) => ({ ...authorization, sealed: { sealed: 'x' } });
    const erased: Change = ({ request: _request, ...authorization }) => ({ ...authorization, sealed: null });
    expect((await verified(events)).problems).toEqual([]);
    for (const change of [sealed, erased])
      expect((await verified(changed(events, isForgotten, change))).problems).toEqual([
        'The signed request of forget must be shown as authorization.request.',
      ]);
  });

  test('is not reported after an import that dropped all signatures of its author', async () => {
    const log = await HonestLog.told();
    const events = await log.shown();
    const last = events.at(-1)!;
    const imported = {
      ...last,
      id: `${last.id}x`,
      position: String(Number(last.position) + 1).padStart(last.position.length, '0'),
      cause: formatImportCause('0'.repeat(64)),
      authorization: { mode: 'operator', reason: 'imported' },
    } as PublicEvent;
    const isImported = (event: PublicEvent) => isSigned(event) && event.type !== 'PaymentAccepted';
    const all = changed(events, isSigned, leaveOut);
    expect((await verified([...all, imported])).problems).toEqual([]);
    expect((await verified(all)).problems).toHaveLength(3);
    const some = changed(events, event => isImported(event) && isAccepted(event), leaveOut);
    const { problems } = await verified([...some, imported]);
    expect(problems).toEqual([expect.stringContaining('was stored without its signature')]);
  });
});

describe('a request signed for another purpose', () => {
  const copied = async (decided_by: string, endpoint: string, type = 'Accepted') => {
    const events = await (await HonestLog.told()).shown();
    const forged = events.map(event =>
      event.type === type
        ? { ...event, decided_by, authorization: { ...objectOf(event.authorization), endpoint } }
        : event,
    );
    return (await verified(forged)).contradictions;
  };

  test.each([
    ['accept@99', 'inbox', 'A request for inbox cannot lead to the decision accept.'],
    ['accept@99', 'post', 'A request for post cannot lead to the decision accept.'],
    ['accept-answer@99', 'inbox', 'The decision accept-answer never follows from a request, but the event names one.'],
    ['later@1', 'inbox', 'A request for inbox cannot write Accepted.'],
    ['whoever@1', 'deliver', 'A request for deliver cannot write Accepted.'],
  ])('is reported for the decision %s and the endpoint %s', async (decidedBy, endpoint, problem) => {
    expect(await copied(decidedBy, endpoint)).toContain(problem);
  });

  test('is reported if it names another hire, even under unknown rules', async () => {
    const events = await (await HonestLog.told()).shown();
    const forged = events.map(event =>
      isAccepted(event) ? { ...event, decided_by: 'accept@99', data: { ...objectOf(event.data), hire: 99 } } : event,
    );
    expect((await verified(forged)).contradictions).toContain('Its request names another hire.');
  });

  test('is not reported for rules and endpoints of a later build', async () => {
    expect(await copied('later@1', 'a-later-one')).not.toContain('A request for a-later-one cannot write Accepted.');
    expect((await copied('accept@99', 'accept')).filter(each => each.includes('request for'))).toEqual([]);
  });
});

test('points to MESSAGE_TAG if no request matches its signature', async () => {
  const events = await (await HonestLog.told()).shown();
  const { findings } = await verify(events, { tag: 'other-v1' });
  expect(findings.list.at(-1)!.problem).toContain('MESSAGE_TAG');
});
