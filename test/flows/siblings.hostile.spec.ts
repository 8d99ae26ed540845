import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { SECOND_MS } from '#libs/kernel/clock.js';
import { siblingAgent } from '../sibling-network.js';
import { SiblingWorld, UNREACHABLE, whoami } from '../sibling-world.js';
import { CLEAN } from '../world.js';

/** A sibling network that is not what it should be. */
let siblings: SiblingWorld;
beforeAll(async () => void (siblings = await SiblingWorld.start()));
afterEach(() => void (siblings.network.misbehaves = null));
afterAll(() => siblings.stop());

describe('a network that answers what it should not is as one that is down', () => {
  const json = (body: unknown, status = 200) => [status, JSON.stringify(body)] as const;
  const other = siblingAgent('', 'muse_other1', Date.now);
  const answers: [string, (museId: string) => readonly [number, string]][] = [
    ['about another identity', () => json({ muse_id: 'muse_other1', public_key: other.publicKey, name: 'x' })],
    ['without a key', museId => json({ muse_id: museId, name: 'x' })],
    ['with a weak key', museId => json({ muse_id: museId, public_key: 'A'.repeat(43), name: 'x' })],
    ['that is too big', museId => json({ muse_id: museId, public_key: other.publicKey, bio: 'x'.repeat(20_000) })],
    ['that is no JSON', () => [200, '<html>']],
    ['that is no object', () => json(null)],
    ['with a 500', () => json({}, 500)],
  ];
  test.each(answers)('%s', async (_what, answer) => {
    const odd = siblings.sibling(`muse_hostile${answers.findIndex(([, each]) => each === answer)}`);
    siblings.network.misbehaves = (response, museId) => {
      const [status, text] = answer(museId);
      response.writeHead(status, { 'content-type': 'application/json' }).end(text);
    };
    expect(await whoami(odd)).toMatchObject(UNREACHABLE);
  });

  test('with a redirect, which is not followed', async () => {
    const odd = siblings.sibling('muse_hostile20');
    siblings.network.misbehaves = response =>
      response.writeHead(302, { location: `${siblings.network.url}/elsewhere` }).end();
    const before = siblings.network.asked.length;
    expect(await whoami(odd)).toMatchObject(UNREACHABLE);
    expect(siblings.network.asked.slice(before)).toEqual(['muse_hostile20']);
  });

  test('byte by byte, without an end', async () => {
    const odd = siblings.sibling('muse_hostile21');
    const timers: NodeJS.Timeout[] = [];
    siblings.network.misbehaves = response => {
      response.writeHead(200);
      timers.push(setInterval(() => response.write(' '), 100));
    };
    const began = Date.now();
    expect(await whoami(odd)).toMatchObject(UNREACHABLE);
    expect(Date.now() - began).toBeLessThan(20 * SECOND_MS);
    timers.forEach(timer => clearInterval(timer));
  });
});

test('all of it can be audited', async () => expect(await siblings.world.audit()).toEqual(CLEAN));
