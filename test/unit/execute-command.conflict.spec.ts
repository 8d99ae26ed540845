import { describe, expect, test } from '@jest/globals';
import type { Muse } from '#libs/domain/muse.js';
import { executeCommand } from '#libs/event-log/execute-command.js';
import { Refusal } from '#libs/kernel/refusal.js';
import { bio, stores, meanwhile, MUSE, plan, STREAM } from './execute-command.js';
import { refusalOf } from './in-memory-stores.js';

describe('a command', () => {
  test('reloads the state and decides again after a conflict', async () => {
    const made = await stores();
    const seen: (string | null)[] = [];
    const claim = async () => void (seen.length === 1 && (await meanwhile(made)));
    const decide = (muse: Muse) => {
      seen.push(muse.status === 'unknown' ? null : muse.headline);
      return [bio('mine')];
    };
    const outcome = await executeCommand(made.journal, made.request(MUSE), plan(decide, { claim }));
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
      const carried = executeCommand(
        made.journal,
        made.request(MUSE),
        plan(() => [bio('mine')], { claim }),
      );
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
    expect(await refusalOf(executeCommand(made.journal, made.request(MUSE), plan(decide)))).toMatchObject({
      code: 'role_closed',
    });
    made.log.faults.plan('append', 'lost');
    await expect(
      executeCommand(
        made.journal,
        made.request(MUSE),
        plan(() => [bio('x')]),
      ),
    ).rejects.toThrow('cannot be reached');
    expect(decided).toBe(1);
  });

  test('never writes a fact that does not match its schema', async () => {
    const made = await stores();
    const wrong = [{ ...bio('x'), data: { muse_id: MUSE, bio: 5 } }];
    await expect(
      executeCommand(
        made.journal,
        made.request(MUSE),
        plan(() => wrong),
      ),
    ).rejects.toThrow('does not match its schema');
    expect(made.log.of(STREAM)).toHaveLength(1);
  });
});
