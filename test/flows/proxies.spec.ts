import { afterEach, expect, test } from '@jest/globals';
import { World } from '../world.js';

/** How many live tails one network address may hold. */
const TAILS_MAX = 4;

let world: World;
const open = new Set<AbortController>();
afterEach(async () => {
  for (const aborting of open) aborting.abort();
  open.clear();
  await world.stop();
});

/** A live tail that is kept open; what proxies said of where it comes from. */
async function tail(forwarded: string): Promise<number> {
  const aborting = new AbortController();
  const headers = { accept: 'text/event-stream', 'x-forwarded-for': forwarded };
  const { status } = await fetch(`${world.url}/api/events`, { headers, signal: aborting.signal });
  open.add(aborting);
  return status;
}

async function statuses(...forwarded: readonly string[]): Promise<number[]> {
  const found: number[] = [];
  for (const each of forwarded) found.push(await tail(each));
  return found;
}

const MOST = Array.from({ length: TAILS_MAX }, () => 200);

test('behind a proxy each client has tails of its own, by the address that the nearest proxy saw', async () => {
  world = await World.start({ settings: { TRUST_PROXY: '1' } });
  const spoofed = (n: number) => `198.51.100.${n}, 192.0.2.1`;
  expect(await statuses(...[1, 2, 3, 4, 5].map(spoofed))).toEqual([...MOST, 429]);
  expect(await statuses('192.0.2.2')).toEqual([200]);
});

test('an IPv6 network is one client', async () => {
  world = await World.start({ settings: { TRUST_PROXY: '2' } });
  const machine = (n: number) => `2001:db8::${n}, 192.0.2.9`;
  expect(await statuses(...[1, 2, 3, 4, 5].map(machine))).toEqual([...MOST, 429]);
  expect(await statuses('2001:db8:0:1::1, 192.0.2.9')).toEqual([200]);
});

test('an address is read without the port and the brackets that a proxy adds', async () => {
  world = await World.start({ settings: { TRUST_PROXY: '1' } });
  expect(await statuses(...[1, 2, 3, 4, 5].map(n => `192.0.2.1:${n}0000`))).toEqual([...MOST, 429]);
  expect(await statuses('192.0.2.2:443', '192.0.2.1')).toEqual([200, 429]);
  const bracketed = (n: number) => (n === 1 ? '[2001:db8::1]' : `[2001:db8::${n}]:443`);
  expect(await statuses(...[1, 2, 3, 4, 5].map(bracketed))).toEqual([...MOST, 429]);
  expect(await statuses('2001:db8::9', '[2001:db8:0:1::1]')).toEqual([429, 200]);
});

test('without a proxy X-Forwarded-For names no client', async () => {
  world = await World.start();
  expect(await statuses(...[1, 2, 3, 4, 5].map(n => `192.0.2.${n}`))).toEqual([...MOST, 429]);
});
