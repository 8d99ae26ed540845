import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { RawAgent } from '../raw-agent.js';
import { CLEAN, World } from '../world.js';

const WRITERS = 4;
const EACH = 25;
const PAGE = '7';
const PATIENCE_MS = 120_000;

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.stop());

type Items = readonly { readonly kind: string; readonly text?: string }[];

/** What one reader is handed until somebody says that everything was written, and nothing more comes. */
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
  'of what many write while two readers ask, nothing is lost and nothing is handed out twice',
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
    await world.settled();
    isWritten = true;
    const handed = (await Promise.all(reading)).flat();
    expect(handed.sort()).toEqual(written.flat().sort());
    expect(await world.audit()).toEqual(CLEAN);
  },
  PATIENCE_MS,
);
