import { expect, test } from '@jest/globals';
import type { ReadModels } from '#libs/documents/read-models.js';
import { NO_WALLET } from '#libs/domain/pay-pauses.js';
import type { ServiceCommands } from '#libs/endpoints/service-commands.js';
import { PayClock } from '#libs/features/hires/pay-clock.js';
import { PayTerms } from '#libs/features/hires/views/pay-terms.js';
import { DAY_MS } from '#libs/kernel/clock.js';
import { TestClock } from '../../doubles/test-clock.js';
import { NOW } from '../../given.js';

const STOPPED = 2_500;
const READ_MAX = 1_000;
const PAID = { ...NO_WALLET, has_wallet: true, unpayable: [] };

/** Terms that were reached a day ago: those of `without_wallet` stop. */
const term = (hire: number, worker: string) => ({
  id: String(hire).padStart(6, '0'),
  body: {
    hire,
    poster: 'poster',
    worker,
    days: 5,
    facts: [{ kind: 'accepted', at: NOW - DAY_MS }],
    announced: null,
    state: 'owed',
    next: NOW - DAY_MS,
  },
});

test('a pass reads at most a thousand stopped terms, and the next one continues', async () => {
  const stopped = Array.from({ length: STOPPED }, (_, hire) => term(hire, 'without_wallet'));
  const documents = [...stopped, term(STOPPED, 'with_wallet')];
  let read = 0;
  const find = async ({ limit, after }: { limit: number; after?: readonly [number, string] }) => {
    const from = after ? documents.findIndex(({ id }) => id === after[1]) + 1 : 0;
    const page = documents.slice(from, from + limit);
    read += page.length;
    return page;
  };
  const pauses = { poster: PAID, without_wallet: NO_WALLET, with_wallet: PAID };
  const getMany = async (ids: readonly (keyof typeof pauses)[]) => ids.map(id => ({ id, body: pauses[id] }));
  const models = { of: (projection: unknown) => (projection === PayTerms ? { find } : { getMany }) };
  const announced: number[] = [];
  const execute = async (_command: unknown, { hire }: { hire: number }) => void announced.push(hire);
  const commands = { clock: new TestClock(NOW), execute };
  const clock = new PayClock(models as unknown as ReadModels, commands as unknown as ServiceCommands);

  const readByPass: number[] = [];
  for (let pass = 0; pass < 4; pass += 1) {
    read = 0;
    await clock.pass();
    readByPass.push(read);
  }
  expect(readByPass).toEqual([READ_MAX, READ_MAX, STOPPED + 1 - 2 * READ_MAX, READ_MAX]);
  expect(announced).toEqual([STOPPED]);
});
