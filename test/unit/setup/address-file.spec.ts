import { statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import {
  resolveCallAddress,
  readAddress,
  shareAddress,
  writeAddress,
  readWrittenAddress,
  noServiceMessage,
} from '#libs/setup/address-file.js';
import { readSettings } from '#libs/setup/settings.js';
import { LocalServer } from '../../local-server.js';
import { makeFolder } from '../../temporary-folder.js';

let folder: string;
let servers: LocalServer[];
beforeEach(() => {
  folder = makeFolder();
  servers = [];
});
afterEach(async () => {
  await Promise.all(servers.map(server => server.stop()));
});

const settings = (more: object = {}) => readSettings({ DATA_DIR: folder, HOST: '127.0.0.2', ...more });

describe('the address of the service', () => {
  test('is the recorded address or else the default address', () => {
    expect(readAddress(settings())).toBe('http://127.0.0.2:3000');
    writeAddress(settings(), 'http://127.0.0.2:51234');
    expect(readAddress(settings())).toBe('http://127.0.0.2:51234');
    expect(statSync(join(folder, 'address')).size).toBeGreaterThan(0);
  });

  test('uses a set port first, then the recorded address, then the public one', () => {
    expect(readAddress(settings({ BASE_URL: 'https://jobs.example' }))).toBe('https://jobs.example');
    writeAddress(settings(), 'http://127.0.0.2:51234');
    expect(readAddress(settings({ PORT: '4000' }))).toBe('http://127.0.0.2:4000');
    expect(readAddress(settings({ BASE_URL: 'https://jobs.example' }))).toBe('http://127.0.0.2:51234');
    expect(readAddress(settings({ BASE_URL: 'https://jobs.example', PORT: '4000' }))).toBe('http://127.0.0.2:4000');
    expect(readAddress(settings({ PORT: '0' }))).toBe('http://127.0.0.2:51234');
  });

  test('is reported with its source and a remedy when no service responds', () => {
    const messageFor = (more: object = {}) => noServiceMessage(resolveCallAddress(settings(more)));
    expect(messageFor()).toMatch(
      /^No service answers at http:\/\/127\.0\.0\.2:3000: start it with .*, or set DATA_DIR to/,
    );
    expect(messageFor({ BASE_URL: 'https://jobs.example' })).toContain('or set BASE_URL to where');
    writeAddress(settings(), 'http://127.0.0.2:51234');
    expect(messageFor()).toContain(`51234, the address in ${join(folder, 'address')}: start it with `);
    expect(messageFor()).toContain('or set PORT to where it listens.');
    expect(messageFor({ PORT: '4000' })).toContain('or set PORT to where it listens.');
  });
});

describe('the address file of several gateways', () => {
  /** Starts a service identified by its first key; without a key it is not ready. */
  async function service(kid?: string): Promise<string> {
    const body = JSON.stringify(kid === undefined ? { ok: false } : { keys: [{ kid }, { kid: 'newer' }] });
    const server = new LocalServer((_request, response) => response.end(body));
    servers.push(server);
    return (await server.listen()).url;
  }

  async function writtenBeside(before: string, own: string): Promise<string | null> {
    writeAddress(settings(), before);
    await shareAddress(settings(), own);
    return readWrittenAddress(settings());
  }

  test('keeps the address of another running gateway', async () => {
    const [one, other] = [await service('a'), await service('a')];
    expect(await writtenBeside(one, other)).toBe(one);
  });

  test('replaces the address of a stopped gateway and of another service', async () => {
    const own = await service('a');
    await shareAddress(settings(), own);
    expect(readWrittenAddress(settings())).toBe(own);
    for (const before of ['http://127.0.0.1:1', await service('b'), await service()])
      expect(await writtenBeside(before, own)).toBe(own);
  });
});
