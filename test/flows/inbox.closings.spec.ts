import { describe, expect, jest, test } from '@jest/globals';
import { Applications } from '#libs/features/jobs/views/applications.js';
import type { RawAgent } from '../raw-agent.js';
import { useWorld } from '../use-world.js';

describe('closings in the inbox', () => {
  /** More closings than an inbox checks individually. */
  const MANY = 105;
  /** More closings than an inbox checks in two pages. */
  const VERY_MANY = 205;
  const TIMEOUT_MS = 60_000;

  const world = useWorld();

  const close = async (poster: RawAgent, role: string) =>
    expect((await poster.post('close', { role })).body).toMatchObject({ ok: true });
  const closeMany = (poster: RawAgent) =>
    Promise.all(Array.from({ length: MANY }, async () => close(poster, await poster.postJob())));

  test(
    'an applicant is notified of a closed role among many other closings',
    async () => {
      const [poster, worker] = [await world.raw('Poster'), await world.raw('Worker')];
      const [few, many] = [await poster.postJob(), await poster.postJob()];
      for (const role of [few, many]) await worker.post('apply', { role, note: 'Gladly.' });
      const read = async () => {
        await world.settle();
        return (await worker.post('inbox', {})).body['items'];
      };
      await close(poster, few);
      expect(await read()).toMatchObject([{ kind: 'closed', role: few }]);

      await closeMany(poster);
      await close(poster, many);
      expect(await read()).toMatchObject([{ kind: 'closed', role: many }]);
      expect(await read()).toEqual([]);
    },
    TIMEOUT_MS,
  );

  test(
    'a repeated read without news does not list all applications each time',
    async () => {
      const [poster, worker] = [await world.raw('Busy'), await world.raw('Patient')];
      const role = await poster.postJob();
      await worker.post('apply', { role, note: 'Gladly.' });
      await closeMany(poster);
      const read = async () => {
        await world.settle();
        return (await worker.post('inbox', {})).body['items'];
      };
      expect(await read()).toEqual([]);

      const listed = jest.spyOn(world.service.models.of(Applications), 'find');
      await close(poster, await poster.postJob());
      expect(await read()).toEqual([]);
      await close(poster, role);
      expect(await read()).toMatchObject([{ kind: 'closed', role }]);
      expect(listed.mock.calls.every(([{ after }]) => after !== undefined)).toBe(true);
      listed.mockRestore();
    },
    TIMEOUT_MS,
  );

  test(
    'an applicant to very many roles is notified of the oldest one too',
    async () => {
      const [poster, worker] = [await world.raw('Steady'), await world.raw('Eager')];
      const roles = await Promise.all(Array.from({ length: VERY_MANY }, () => poster.postJob()));
      const [oldest, ...others] = roles as [string, ...string[]];
      await worker.post('apply', { role: oldest, note: 'Gladly.' });
      await Promise.all(others.map(role => worker.post('apply', { role, note: 'Gladly.' })));
      await world.settle();
      expect((await worker.post('inbox', {})).body['items']).toEqual([]);
      await closeMany(poster);
      await close(poster, oldest);
      await world.settle();
      expect((await worker.post('inbox', {})).body['items']).toMatchObject([{ kind: 'closed', role: oldest }]);
    },
    TIMEOUT_MS,
  );

  test('a closing disappears when the role opens again and returns with the next closing', async () => {
    const [poster, worker, other] = [await world.raw('Host'), await world.raw('Second'), await world.raw('First')];
    const role = await poster.postJob();
    await worker.post('apply', { role, note: 'Gladly.' });
    const peek = async () => {
      await world.settle();
      return (await worker.post('inbox', { peek: 'true' })).body['items'] as { readonly id: number }[];
    };
    const hire = await poster.hireFor(role, other);
    const [first] = await peek();
    expect(first).toMatchObject({ kind: 'closed', role });
    expect((await poster.post('end_hire', { hire, reason: 'It is not needed any more.' })).body).toMatchObject({
      ok: true,
    });
    expect(await peek()).toEqual([]);
    await close(poster, role);
    const [second] = await peek();
    expect(second).toMatchObject({ kind: 'closed', role });
    expect(second!.id).not.toBe(first!.id);
    expect((await worker.post('withdraw', { role })).body).toMatchObject({ ok: true });
    expect(await peek()).toEqual([]);
  });

  test('an applicant during a closing is notified also if the closing is stored first', async () => {
    const [poster, worker] = [await world.raw('Fast'), await world.raw('Racer')];
    const role = await poster.postJob();
    const { log } = world.service.stores;
    const append = log.append.bind(log);
    jest.spyOn(log, 'append').mockImplementation(async (...args) => {
      if (args[2].some(({ type }) => type === 'Applied')) await close(poster, role);
      return append(...args);
    });
    expect(await worker.post('apply', { role, note: 'Gladly.' })).toMatchObject({ status: 200 });
    await world.settle();
    const events = (await world.events()).filter(({ data }) => (data as { role?: string }).role === role);
    expect(events.at(-1)!.type).toBe('Applied');
    expect((await worker.post('inbox', {})).body['items']).toMatchObject([{ kind: 'closed', role }]);
    expect((await worker.post('inbox', {})).body['items']).toEqual([]);
  });
});

describe('readers of an inbox', () => {
  const WRITERS = 4;
  const EACH = 25;
  const PAGE = '7';
  const PATIENCE_MS = 120_000;

  const world = useWorld();

  type Items = readonly { readonly kind: string; readonly text?: string }[];

  /** Reads pages until writing has ended and the inbox is empty. */
  async function readOn(reader: RawAgent, isOver: () => boolean, wait: string): Promise<string[]> {
    const handed: string[] = [];
    for (;;) {
      const wasOver = isOver();
      const { status, body } = await reader.post('inbox', { limit: PAGE, wait });
      expect([status, body['code']]).toEqual([200, undefined]);
      const items = body['items'] as unknown as Items;
      handed.push(...items.flatMap(({ kind, text }) => (kind === 'message' ? text! : [])));
      if (items.length === 0 && wasOver) return handed;
    }
  }

  async function write(writer: RawAgent, to: string, name: string): Promise<string[]> {
    const texts = Array.from({ length: EACH }, (_, n) => `${name} ${n}`);
    for (const text of texts) expect((await writer.post('message', { to, text })).status).toBe(200);
    return texts;
  }

  test(
    'get every item exactly once while many writers write',
    async () => {
      const reader = await world.raw('Reader');
      const writers = await Promise.all(Array.from({ length: WRITERS }, (_, n) => world.raw(`Writer ${n}`)));
      for (const writer of writers) {
        await writer.post('connect', { to: reader.museId });
        await reader.post('connect', { to: writer.museId });
      }
      let isWritten = false;
      const reading = ['0', '1'].map(wait => readOn(reader, () => isWritten, wait));
      const written = await Promise.all(writers.map((writer, n) => write(writer, reader.museId, `Writer ${n}`)));
      await world.settle();
      isWritten = true;
      const handed = (await Promise.all(reading)).flat();
      expect(handed.sort()).toEqual(written.flat().sort());
    },
    PATIENCE_MS,
  );
});
