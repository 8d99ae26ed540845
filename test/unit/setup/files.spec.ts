import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { computeAddress } from 'ethers';
import { DEV_SERVICE_KEY, DEV_SERVICE_WALLET } from '#libs/payments/devchain/accounts.js';
import { FileClock } from '#libs/setup/file-clock.js';
import { readAccountKey, readEd25519Seed, readRelayerKeys } from '#libs/setup/key-files.js';
import { SettingError } from '#libs/setup/setting.js';
import { until } from '../documents/bench.js';
import { makeFolder } from '../../temporary-folder.js';

let folder: string;
beforeEach(() => void (folder = makeFolder()));

function fileOf(text: string): string {
  const file = join(folder, 'file');
  writeFileSync(file, text);
  return file;
}

describe('the key file of an account', () => {
  const KEY = `0x${'aB'.repeat(32)}`;

  test('is one line with or without a line break', () => {
    expect(readAccountKey('RELAYER_KEY_FILE', fileOf(KEY))).toBe(KEY);
    expect(readAccountKey('RELAYER_KEY_FILE', fileOf(`${KEY}\n`))).toBe(KEY);
  });

  test.each([KEY.slice(2), `${KEY}0`, `${KEY}\n${KEY}`, KEY.replace('B', 'g'), ''])(
    'is refused without showing its content if it is malformed: %#',
    text => {
      const read = () => readAccountKey('RELAYER_KEY_FILE', fileOf(text));
      expect(read).toThrow(SettingError);
      expect(read).toThrow(/^RELAYER_KEY_FILE: must hold one line: 0x and 64 hex digits\.$/);
    },
  );

  test.each([`0x${'0'.repeat(64)}`, `0x${'f'.repeat(64)}`])(
    'is refused if the number is not a private key: %s',
    text => {
      expect(() => readAccountKey('RELAYER_KEY_FILE', fileOf(text))).toThrow(
        'RELAYER_KEY_FILE: does not hold a private key of secp256k1.',
      );
    },
  );

  test('can hold several relayer keys in one or more files', () => {
    const [one, other, third] = ['11', '22', '33'].map(byte => `0x${byte.repeat(32)}`) as [string, string, string];
    const files = [fileOf(`${one}\r\n${other}\n`), join(folder, 'more')] as const;
    writeFileSync(files[1], third);
    expect(readRelayerKeys(files[0])).toEqual([one, other]);
    expect(readRelayerKeys(files.join(', '))).toEqual([one, other, third]);
    expect(() => readRelayerKeys(`${files[1]},${files[1]}`)).toThrow('RELAYER_KEY_FILE: contains a key twice.');
    expect(() => readRelayerKeys(`${files[1]},`)).toThrow('RELAYER_KEY_FILE: has no file name between two commas.');
    expect(() => readRelayerKeys(fileOf(`${one}\n\n${other}`))).toThrow('RELAYER_KEY_FILE: must hold one line');
  });

  test('matches the written address of the development chain', () => {
    expect(computeAddress(DEV_SERVICE_KEY)).toBe(DEV_SERVICE_WALLET);
  });

  test('is reported with the reason if it cannot be read', () => {
    const missing = () => readAccountKey('HOUSE_WALLET_KEY_FILE', join(folder, 'none'));
    expect(missing).toThrow('HOUSE_WALLET_KEY_FILE: cannot be read (ENOENT).');
    expect(() => readAccountKey('RELAYER_KEY_FILE', folder)).toThrow('RELAYER_KEY_FILE: cannot be read (EISDIR).');
  });
});

describe('the key file of the issuer', () => {
  test('is refused for a key of another curve', () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const pem = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
    expect(() => readEd25519Seed('ISSUER_KEY_FILE', fileOf(pem))).toThrow(/^ISSUER_KEY_FILE: must hold 43 base64url/);
  });

  test('is refused if its last character encodes excess bits', () => {
    const seed = randomBytes(32).toString('base64url');
    const doubtful = seed.slice(0, 42) + (seed.endsWith('A') ? 'B' : String.fromCharCode(seed.charCodeAt(42) + 1));
    expect(() => readEd25519Seed('ISSUER_KEY_FILE', fileOf(doubtful))).toThrow(SettingError);
  });
});

describe('a clock with an offset file', () => {
  const HOUR_MS = 3_600_000;

  test('adds the offset of the file and follows its changes', async () => {
    const clock = new FileClock(fileOf(` ${HOUR_MS}\n`));
    expect(Math.abs(clock.now() - Date.now() - HOUR_MS)).toBeLessThan(1_000);
    fileOf(String(-HOUR_MS));
    await until(() => clock.offsetMs() === -HOUR_MS);
  });

  test.each(['', 'soon', '1.5', '1e999', '9007199254740993'])('has no offset if the file contains %j', text => {
    expect(new FileClock(fileOf(text)).offsetMs()).toBe(0);
  });

  test('has no offset without a file', () => {
    expect(new FileClock(join(folder, 'none')).offsetMs()).toBe(0);
  });
});
