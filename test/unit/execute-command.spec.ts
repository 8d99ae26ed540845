import { describe, expect, test } from '@jest/globals';
import { executeCommand } from '#libs/event-log/execute-command.js';
import type { Authorization } from '#libs/kernel/event.js';
import { deriveEventId } from '#libs/kernel/ids.js';
import { computeCommitment } from '#libs/kernel/commitment.js';
import { newSalt } from '#libs/platform/signing/fresh-bytes.js';
import { bio, stores, meanwhile, MUSE, plan, STREAM } from './execute-command.js';
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
    const first = await executeCommand(
      made.journal,
      context,
      plan(() => [bio('one'), bio('two')]),
    );
    const again = await executeCommand(
      made.journal,
      context,
      plan(() => [bio('never decided')]),
    );
    expect([first.repeated, again.repeated]).toEqual([false, true]);
    expect(again.events).toEqual(first.events);
    expect([again.position, again.state]).toEqual([first.position, first.state]);
    expect(made.log.of(STREAM)).toHaveLength(3);
  });

  test('is recognized after events of other requests', async () => {
    const made = await stores();
    const context = made.request(MUSE);
    const first = await executeCommand(
      made.journal,
      context,
      plan(() => [bio('mine')]),
    );
    await meanwhile(made);
    expect(
      (
        await executeCommand(
          made.journal,
          context,
          plan(() => [bio('mine')]),
        )
      ).events,
    ).toEqual(first.events);
  });

  test('writes once and has one outcome if two processes run it at the same time', async () => {
    const made = await stores();
    const context = made.request(MUSE);
    const decide = plan(() => [bio('mine')]);
    const [a, b] = await Promise.all([
      executeCommand(made.journal, context, decide),
      executeCommand(made.journal, context, decide),
    ]);
    expect(a.events).toEqual(b.events);
    expect(made.log.of(STREAM)).toHaveLength(2);
  });

  test('returns its events after its first response was lost', async () => {
    const made = await stores();
    const context = made.request(MUSE);
    made.log.faults.plan('append', 'unanswered');
    await expect(
      executeCommand(
        made.journal,
        context,
        plan(() => [bio('mine')]),
      ),
    ).rejects.toThrow('cannot be reached');
    expect(
      await executeCommand(
        made.journal,
        context,
        plan(() => [bio('mine')]),
      ),
    ).toMatchObject({ repeated: true });
    expect(made.log.of(STREAM)).toHaveLength(2);
  });

  test('derives event ids from its key, the stream, the type and the ordinal', async () => {
    const made = await stores();
    const context = made.request(MUSE);
    const { events } = await executeCommand(
      made.journal,
      context,
      plan(() => [bio('one'), bio('two')]),
    );
    const ids = [0, 1].map(ordinal => deriveEventId(context.requestKey, STREAM, 'ProfileUpdated', ordinal));
    expect(events.map(({ id }) => id)).toEqual(ids);
  });

  test('writes nothing without new facts and returns the last position it read', async () => {
    const made = await stores();
    const outcome = await executeCommand(
      made.journal,
      made.request(MUSE),
      plan(() => []),
    );
    expect(outcome).toMatchObject({ events: [], repeated: false, position: await made.log.head() });
    expect(made.log.of(STREAM)).toHaveLength(1);
  });
});

describe('a nonce', () => {
  test('is rejected for another signed message', async () => {
    const made = await stores();
    const context = made.request(MUSE, signed('one message'));
    await executeCommand(
      made.journal,
      context,
      plan(() => [bio('mine')]),
    );
    const other = { ...context, ...signed('another message') };
    expect(
      await refusalOf(
        executeCommand(
          made.journal,
          other,
          plan(() => [bio('mine')]),
        ),
      ),
    ).toMatchObject({ code: 'nonce_used', details: { retryAfter: 1 } });
  });

  test('returns the recorded outcome for the same message with a new salt', async () => {
    const made = await stores();
    const context = made.request(MUSE, signed('one message'));
    await executeCommand(
      made.journal,
      context,
      plan(() => [bio('mine')]),
    );
    const same = { ...context, ...signed('one message') };
    expect(
      await executeCommand(
        made.journal,
        same,
        plan(() => [bio('mine')]),
      ),
    ).toMatchObject({ repeated: true });
  });

  test('is not checked if its salt was erased', async () => {
    const made = await stores();
    const context = made.request(MUSE, signed('one message'));
    await executeCommand(
      made.journal,
      context,
      plan(() => [bio('mine')]),
    );
    await made.keys.destroy(MUSE);
    const other = { ...context, ...signed('another message') };
    expect(
      await executeCommand(
        made.journal,
        other,
        plan(() => [bio('mine')]),
      ),
    ).toMatchObject({ repeated: true });
  });
});
