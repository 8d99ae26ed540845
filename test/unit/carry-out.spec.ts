import { describe, expect, test } from '@jest/globals';
import { Muse } from '#libs/domain/muse.js';
import { ProfileUpdated } from '#libs/events/muse.js';
import { museStream } from '#libs/events/streams.js';
import { carryOut, type Plan } from '#libs/event-log/carry-out.js';
import { source } from '#libs/event-log/journal.js';
import type { Authorization } from '#libs/kernel/event.js';
import { eventId } from '#libs/kernel/ids.js';
import { Refusal } from '#libs/kernel/refusal.js';
import { commitmentOf, newSalt } from '#libs/signing/commitment.js';
import { asEvents } from '../given.js';
import { Desk, refusalOf } from './desk.js';
import { registered } from './features/worlds.js';

const MUSE = 'agent_poster0000';
const STREAM = museStream(MUSE);
const bio = (text: string) => ProfileUpdated({ muse_id: MUSE, bio: text });
type MusePlan = Plan<Muse, Record<never, never>>;
const plan = (decide: MusePlan['decide'], more: Partial<MusePlan> = {}): MusePlan => ({
  writes: source(STREAM, Muse),
  decide,
  ...more,
});

async function desk(): Promise<Desk> {
  const made = new Desk();
  await made.journal.append(STREAM, 'none', asEvents([registered], STREAM));
  return made;
}

/** Somebody else's write between the load and the append. */
const meanwhile = (made: Desk) => made.journal.append(STREAM, 'any', asEvents([bio('theirs')], STREAM).map(unique));
let others = 0;
const unique = <E extends { id: string }>(event: E) => ({ ...event, id: `other-${(others += 1)}` });

function signed(message: string): { authorization: Authorization; message: Uint8Array } {
  const salt = newSalt();
  const bytes = Buffer.from(message);
  const sealed = { signature: 'x'.repeat(86), fields: {}, salt: Buffer.from(salt).toString('hex') };
  const head = { mode: 'signature', public_key: 'k', endpoint: 'join', timestamp: '1', nonce: 'n' } as const;
  return { authorization: { ...head, commitment: commitmentOf(salt, bytes), sealed }, message: bytes };
}

describe('a request', () => {
  test('writes once, however often it is carried out, and gets the same outcome', async () => {
    const made = await desk();
    const context = made.request(MUSE);
    const first = await carryOut(
      made.journal,
      context,
      plan(() => [bio('one'), bio('two')]),
    );
    const again = await carryOut(
      made.journal,
      context,
      plan(() => [bio('never decided')]),
    );
    expect([first.repeated, again.repeated]).toEqual([false, true]);
    expect(again.events).toEqual(first.events);
    expect([again.position, again.state]).toEqual([first.position, first.state]);
    expect(made.log.of(STREAM)).toHaveLength(3);
  });

  test('is recognised behind the events of others', async () => {
    const made = await desk();
    const context = made.request(MUSE);
    const first = await carryOut(
      made.journal,
      context,
      plan(() => [bio('mine')]),
    );
    await meanwhile(made);
    expect(
      (
        await carryOut(
          made.journal,
          context,
          plan(() => [bio('mine')]),
        )
      ).events,
    ).toEqual(first.events);
  });

  test('carried out by two processes at once writes once and answers both the same', async () => {
    const made = await desk();
    const context = made.request(MUSE);
    const decide = plan(() => [bio('mine')]);
    const [a, b] = await Promise.all([
      carryOut(made.journal, context, decide),
      carryOut(made.journal, context, decide),
    ]);
    expect(a.events).toEqual(b.events);
    expect(made.log.of(STREAM)).toHaveLength(2);
  });

  test('whose answer was lost is answered with what it wrote', async () => {
    const made = await desk();
    const context = made.request(MUSE);
    made.log.faults.plan('append', 'unanswered');
    await expect(
      carryOut(
        made.journal,
        context,
        plan(() => [bio('mine')]),
      ),
    ).rejects.toThrow('cannot be reached');
    expect(
      await carryOut(
        made.journal,
        context,
        plan(() => [bio('mine')]),
      ),
    ).toMatchObject({ repeated: true });
    expect(made.log.of(STREAM)).toHaveLength(2);
  });

  test('derives its events’ ids from its key, the stream, the type and the ordinal', async () => {
    const made = await desk();
    const context = made.request(MUSE);
    const { events } = await carryOut(
      made.journal,
      context,
      plan(() => [bio('one'), bio('two')]),
    );
    const ids = [0, 1].map(ordinal => eventId(context.requestKey, STREAM, 'ProfileUpdated', ordinal));
    expect(events.map(({ id }) => id)).toEqual(ids);
  });

  test('that decides nothing writes nothing, and answers the last position it looked at', async () => {
    const made = await desk();
    const outcome = await carryOut(
      made.journal,
      made.request(MUSE),
      plan(() => []),
    );
    expect(outcome).toMatchObject({ events: [], repeated: false, position: await made.log.head() });
    expect(made.log.of(STREAM)).toHaveLength(1);
  });
});

describe('a nonce', () => {
  test('that another signed message was carried out under is used', async () => {
    const made = await desk();
    const context = made.request(MUSE, signed('one message'));
    await carryOut(
      made.journal,
      context,
      plan(() => [bio('mine')]),
    );
    const other = { ...context, ...signed('another message') };
    expect(
      await refusalOf(
        carryOut(
          made.journal,
          other,
          plan(() => [bio('mine')]),
        ),
      ),
    ).toMatchObject({ code: 'nonce_used' });
  });

  test('of the very same message gets the recorded outcome, with whatever new salt', async () => {
    const made = await desk();
    const context = made.request(MUSE, signed('one message'));
    await carryOut(
      made.journal,
      context,
      plan(() => [bio('mine')]),
    );
    const same = { ...context, ...signed('one message') };
    expect(
      await carryOut(
        made.journal,
        same,
        plan(() => [bio('mine')]),
      ),
    ).toMatchObject({ repeated: true });
  });

  test('whose salt was erased proves nothing, and is let pass', async () => {
    const made = await desk();
    const context = made.request(MUSE, signed('one message'));
    await carryOut(
      made.journal,
      context,
      plan(() => [bio('mine')]),
    );
    await made.keys.destroy(MUSE);
    const other = { ...context, ...signed('another message') };
    expect(
      await carryOut(
        made.journal,
        other,
        plan(() => [bio('mine')]),
      ),
    ).toMatchObject({ repeated: true });
  });
});

describe('a conflict', () => {
  test('loads again and decides on what stands there now', async () => {
    const made = await desk();
    const seen: (string | null)[] = [];
    const claim = async () => void (seen.length === 1 && (await meanwhile(made)));
    const decide = (muse: Muse) => {
      seen.push(muse.status === 'unknown' ? null : muse.headline);
      return [bio('mine')];
    };
    const outcome = await carryOut(made.journal, made.request(MUSE), plan(decide, { claim }));
    expect(seen).toHaveLength(2);
    expect(outcome.events[0]!.revision).toBe(2);
  });

  test('three times in a row is survived, a fourth is refused as busy', async () => {
    for (const [conflicts, survives] of [
      [3, true],
      [4, false],
    ] as const) {
      const made = await desk();
      let left: number = conflicts;
      const claim = async () => void ((left -= 1) >= 0 && (await meanwhile(made)));
      const carried = carryOut(
        made.journal,
        made.request(MUSE),
        plan(() => [bio('mine')], { claim }),
      );
      if (survives) expect((await carried).events).toHaveLength(1);
      else expect(await refusalOf(carried)).toMatchObject({ code: 'busy', details: { retryAfter: 1 } });
    }
  });

  test('is the only failure that is tried again', async () => {
    const made = await desk();
    let decided = 0;
    const decide = () => {
      decided += 1;
      throw new Refusal('role_closed', 'The role is closed.');
    };
    expect(await refusalOf(carryOut(made.journal, made.request(MUSE), plan(decide)))).toMatchObject({
      code: 'role_closed',
    });
    made.log.faults.plan('append', 'lost');
    await expect(
      carryOut(
        made.journal,
        made.request(MUSE),
        plan(() => [bio('x')]),
      ),
    ).rejects.toThrow('cannot be reached');
    expect(decided).toBe(1);
  });

  test('a fact that does not fit its schema is never written', async () => {
    const made = await desk();
    const wrong = [{ ...bio('x'), data: { muse_id: MUSE, bio: 5 } }];
    await expect(
      carryOut(
        made.journal,
        made.request(MUSE),
        plan(() => wrong),
      ),
    ).rejects.toThrow('does not fit its schema');
    expect(made.log.of(STREAM)).toHaveLength(1);
  });
});
