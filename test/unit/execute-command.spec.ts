import { describe, expect, test } from '@jest/globals';
import type { Muse } from '#libs/domain/muse.js';
import type { Authorization } from '#libs/kernel/event.js';
import { deriveEventId } from '#libs/kernel/ids.js';
import { computeCommitment } from '#libs/kernel/commitment.js';
import { Refusal } from '#libs/kernel/refusal.js';
import { newSalt } from '#libs/platform/signing/fresh-bytes.js';
import { bio, execute, stores, meanwhile, MUSE, STREAM } from './execute-command.js';
import { refusalOf } from './in-memory-stores.js';

function signed(message: string): { authorization: Authorization; message: Uint8Array } {
  const salt = newSalt();
  const bytes = Buffer.from(message);
  const sealed = { signature: 'x'.repeat(86), fields: {}, salt };
  const head = { mode: 'signature', public_key: 'k', endpoint: 'join', timestamp: '1', nonce: 'n' } as const;
  return { authorization: { ...head, commitment: computeCommitment(salt, bytes), sealed }, message: bytes };
}

describe('a request', () => {
  test('writes once and has the same outcome, however often it runs', async () => {
    const made = await stores();
    const context = made.request(MUSE);
    const first = await execute(made, context, { decide: () => [bio('one'), bio('two')] });
    const again = await execute(made, context, { decide: () => [bio('never decided')] });
    expect([first.repeated, again.repeated]).toEqual([false, true]);
    expect(again.events).toEqual(first.events);
    expect([again.position, again.state]).toEqual([first.position, first.state]);
    expect(made.log.of(STREAM)).toHaveLength(3);
  });

  test('is recognized after events of other requests', async () => {
    const made = await stores();
    const context = made.request(MUSE);
    const first = await execute(made, context);
    await meanwhile(made);
    expect((await execute(made, context)).events).toEqual(first.events);
  });

  test('writes once and has one outcome if two processes run it at the same time', async () => {
    const made = await stores();
    const context = made.request(MUSE);
    const [a, b] = await Promise.all([execute(made, context), execute(made, context)]);
    expect(a.events).toEqual(b.events);
    expect(made.log.of(STREAM)).toHaveLength(2);
  });

  test('returns its events after its first response was lost', async () => {
    const made = await stores();
    const context = made.request(MUSE);
    made.log.faults.plan('append', 'unanswered');
    await expect(execute(made, context)).rejects.toThrow('cannot be reached');
    expect(await execute(made, context)).toMatchObject({ repeated: true });
    expect(made.log.of(STREAM)).toHaveLength(2);
  });

  test('derives event ids from its key, the stream, the type and the ordinal', async () => {
    const made = await stores();
    const context = made.request(MUSE);
    const { events } = await execute(made, context, { decide: () => [bio('one'), bio('two')] });
    const ids = [0, 1].map(ordinal => deriveEventId(context.requestKey, STREAM, 'ProfileUpdated', ordinal));
    expect(events.map(({ id }) => id)).toEqual(ids);
  });

  test('writes nothing without new facts and returns the last position it read', async () => {
    const made = await stores();
    const outcome = await execute(made, made.request(MUSE), { decide: () => [] });
    expect(outcome).toMatchObject({ events: [], repeated: false, position: await made.log.head() });
    expect(made.log.of(STREAM)).toHaveLength(1);
  });
});

describe('a nonce', () => {
  test('is rejected for another signed message', async () => {
    const made = await stores();
    const context = made.request(MUSE, signed('one message'));
    await execute(made, context);
    const other = { ...context, ...signed('another message') };
    const refusal = await refusalOf(execute(made, other));
    expect(refusal).toMatchObject({ code: 'nonce_used', details: { retryAfter: 1 } });
  });

  test('returns the recorded outcome for the same message with a new salt', async () => {
    const made = await stores();
    const context = made.request(MUSE, signed('one message'));
    await execute(made, context);
    const same = { ...context, ...signed('one message') };
    expect(await execute(made, same)).toMatchObject({ repeated: true });
  });

  test('is not checked if its salt was erased', async () => {
    const made = await stores();
    const context = made.request(MUSE, signed('one message'));
    await execute(made, context);
    await made.keys.destroy(MUSE);
    const other = { ...context, ...signed('another message') };
    expect(await execute(made, other)).toMatchObject({ repeated: true });
  });
});

describe('a command', () => {
  test('reloads the state and decides again after a conflict', async () => {
    const made = await stores();
    const seen: (string | null)[] = [];
    const claim = async () => void (seen.length === 1 && (await meanwhile(made)));
    const decide = (muse: Muse) => {
      seen.push(muse.status === 'unknown' ? null : muse.headline);
      return [bio('mine')];
    };
    const outcome = await execute(made, made.request(MUSE), { decide, claim });
    expect(seen).toHaveLength(2);
    expect(outcome.events[0]!.revision).toBe(2);
  });

  test('retries three conflicts and refuses the fourth as busy', async () => {
    for (const [conflicts, survives] of [
      [3, true],
      [4, false],
    ] as const) {
      const made = await stores();
      let left: number = conflicts;
      const claim = async () => void ((left -= 1) >= 0 && (await meanwhile(made)));
      const carried = execute(made, made.request(MUSE), { claim });
      if (survives) expect((await carried).events).toHaveLength(1);
      else expect(await refusalOf(carried)).toMatchObject({ code: 'busy', details: { retryAfter: 1 } });
    }
  });

  test('retries no failure except a conflict', async () => {
    const made = await stores();
    let decided = 0;
    const decide = () => {
      decided += 1;
      throw new Refusal('role_closed', 'The role is closed.');
    };
    const refusal = await refusalOf(execute(made, made.request(MUSE), { decide }));
    expect(refusal).toMatchObject({ code: 'role_closed' });
    made.log.faults.plan('append', 'lost');
    await expect(execute(made, made.request(MUSE))).rejects.toThrow('cannot be reached');
    expect(decided).toBe(1);
  });

  test('never writes a fact that does not match its schema', async () => {
    const made = await stores();
    const wrong = [{ ...bio('x'), data: { muse_id: MUSE, bio: 5 } }];
    const written = execute(made, made.request(MUSE), { decide: () => wrong });
    await expect(written).rejects.toThrow('does not match its schema');
    expect(made.log.of(STREAM)).toHaveLength(1);
  });
});
