import { expect, test } from '@jest/globals';
import { KEYS_PER_READ_MAX } from '#libs/platform/vault/port.js';
import { contract, vaults } from './adapters.js';

const bytes = (...values: number[]) => Uint8Array.from(values);

contract('the vault', vaults, open => {
  test('a key is put once, and every caller gets the stored one', async () => {
    const [here, there] = [await open(), await open()];
    expect(await here.get('muse-a')).toBeUndefined();
    expect(await here.putIfAbsent('muse-a', bytes(0, 1, 255))).toEqual(bytes(0, 1, 255));
    expect(await there.putIfAbsent('muse-a', bytes(9))).toEqual(bytes(0, 1, 255));
    expect(await there.get('muse-a')).toEqual(bytes(0, 1, 255));
  });

  test('exactly one of many concurrent puts of a key wins', async () => {
    const vaults = [await open(), await open()];
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) => vaults[index % 2]!.putIfAbsent('muse-a', bytes(index))),
    );
    const [winner] = answers;
    for (const answer of answers) expect(answer).toEqual(winner);
    expect(await vaults[0]!.get('muse-a')).toEqual(winner);
  });

  test('replaces a value in every instance but no tombstone', async () => {
    const [here, there] = [await open(), await open()];
    await here.replace('mark', bytes(1));
    await there.replace('mark', bytes(2));
    expect(await here.get('mark')).toEqual(bytes(2));
    await here.destroy('mark');
    await there.replace('mark', bytes(3));
    expect(await here.get('mark')).toBe('destroyed');
  });

  test('a destroyed key stays a tombstone in every instance', async () => {
    const [here, there] = [await open(), await open()];
    await here.putIfAbsent('muse-a', bytes(1));
    await there.destroy('muse-a');
    await there.destroy('muse-a');
    for (const vault of [here, there, await open()]) {
      expect(await vault.get('muse-a')).toBe('destroyed');
      expect(await vault.putIfAbsent('muse-a', bytes(2))).toBe('destroyed');
    }
  });

  test('a key can be destroyed before it exists and can then never be put', async () => {
    const vault = await open();
    await vault.destroy('muse-a');
    expect(await vault.putIfAbsent('muse-a', bytes(1))).toBe('destroyed');
  });

  test('keys and tombstones survive closing', async () => {
    const vault = await open();
    await vault.putIfAbsent('kept', bytes(7));
    await vault.putIfAbsent('empty', bytes());
    await vault.putIfAbsent('gone', bytes(8));
    await vault.destroy('gone');
    await vault.close();
    const again = await open();
    expect([await again.get('kept'), await again.get('empty'), await again.get('gone')]).toEqual([
      bytes(7),
      bytes(),
      'destroyed',
    ]);
  });

  test('names with a prefix are listed in order and in pages without tombstones', async () => {
    const vault = await open();
    for (const name of ['issuer-1', 'muse-b', 'muse-a', 'muse-ä', 'muse-c', 'muse_x'])
      await vault.putIfAbsent(name, bytes(1));
    await vault.destroy('muse-b');
    expect(await vault.list('muse-', 2)).toEqual(['muse-a', 'muse-c']);
    expect(await vault.list('muse-', 2, 'muse-c')).toEqual(['muse-ä']);
    expect(await vault.list('', 10)).toHaveLength(5);
    expect(await vault.list('nobody-', 10)).toEqual([]);
  });

  test('many keys are returned together, with tombstones and without unknown ones', async () => {
    const [vault, elsewhere] = [await open(), await open()];
    await vault.putIfAbsent('muse-a', bytes(1));
    await vault.putIfAbsent('muse-b', bytes());
    await vault.putIfAbsent('muse-c', bytes(3));
    await vault.destroy('muse-c');
    const values = await elsewhere.getMany(['muse-c', 'muse-a', 'nobody', 'muse-b', 'muse-a']);
    expect(new Map(values)).toEqual(
      new Map<string, unknown>([
        ['muse-a', bytes(1)],
        ['muse-b', bytes()],
        ['muse-c', 'destroyed'],
      ]),
    );
    expect((await vault.getMany([])).size).toBe(0);
    const names = Array.from({ length: KEYS_PER_READ_MAX - 1 }, (_, n) => `nobody-${n}`);
    expect([...(await vault.getMany([...names, 'muse-a'])).keys()]).toEqual(['muse-a']);
  });

  test('a returned value can be wiped without changing the vault', async () => {
    const vault = await open();
    const own = bytes(1, 2, 3);
    const answered = await vault.putIfAbsent('muse-a', own);
    own.fill(0);
    if (answered !== 'destroyed') answered.fill(0);
    for (const value of (await vault.getMany(['muse-a'])).values()) (value as Uint8Array).fill(0);
    expect(await vault.get('muse-a')).toEqual(bytes(1, 2, 3));
  });
});
