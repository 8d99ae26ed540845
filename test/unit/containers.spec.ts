import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { readSettings } from '#libs/setup/settings.js';
import { SETTINGS } from '#libs/setup/settings.table.js';
import { makeFolder } from '../temporary-folder.js';

/** Checks docker-compose.yml and Dockerfile against the code, without a container engine. */
const TEXT = readFileSync('docker-compose.yml', 'utf8');
const PRODUCTION = readFileSync('docs/production.md', 'utf8');
const DOCKERFILE = readFileSync('Dockerfile', 'utf8');

interface Service {
  readonly image: string;
  readonly build?: string;
  readonly restart: string;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly cap_add?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly mem_limit?: string;
  readonly pids_limit?: number;
  readonly logging?: { readonly options: { readonly 'max-size': string; readonly 'max-file': string } };
  readonly networks?: readonly string[];
  readonly network_mode?: string;
  readonly ports?: readonly string[];
  readonly profiles?: readonly string[];
  readonly env_file?: readonly { readonly path: string; readonly required: boolean }[];
  readonly environment?: { readonly [name: string]: string };
  readonly command?: readonly string[];
  readonly user?: string;
  readonly volumes?: readonly (string | { readonly type: string })[];
  readonly depends_on?: { readonly [service: string]: { readonly condition: string } };
  readonly healthcheck?: { readonly test?: unknown; readonly start_interval?: string; readonly disable?: boolean };
}
interface Compose {
  readonly services: { readonly [name: string]: Service };
  readonly networks: { readonly [name: string]: { readonly internal?: boolean } | null };
  readonly volumes: { readonly [name: string]: unknown };
}

const compose = parse(TEXT, { merge: true }) as Compose;
const services = Object.entries(compose.services);
const lasting = services.filter(([, { restart }]) => restart === 'always');
const passing = services.filter(([, { restart }]) => restart !== 'always');
const settingNames = Object.values(SETTINGS).map(({ name }) => name);
const namesOf = (entries: readonly (readonly [string, unknown])[]) => entries.map(([name]) => name);

/** Expands `${A:-else}`, `${A-else}` and `${A:+then}` as Compose does, also nested. */
function filled(text: string, environment: { readonly [name: string]: string }): string {
  const innermost = /\$\{(\w+)(?:(:?)([-+])([^${}]*))?\}/;
  const match = innermost.exec(text);
  if (!match) return text;
  const [whole, name, colon, sign, other = ''] = match;
  const value = environment[name!];
  const isThere = value !== undefined && (!colon || value !== '');
  const put = sign === '+' ? (isThere ? other : '') : isThere ? value : other;
  return filled(
    text.replace(whole, () => put),
    environment,
  );
}

describe('the containers', () => {
  test('read only settings and variables named in docs/production.md', () => {
    const read = [...new Set([...TEXT.matchAll(/\$\{(\w+)/g)].map(([, name]) => name!))];
    expect(read.length).toBeGreaterThan(5);
    const unknown = read.filter(name => !settingNames.includes(name));
    expect(unknown.filter(name => !PRODUCTION.includes(`\`${name}\``))).toEqual([]);
    expect(unknown).toEqual(['EVENTSTORE_IMAGE']);
  });

  test('get only settings, and read `.env`', () => {
    const ours = services.filter(([, { image, environment }]) => image === 'agent-job-network' && environment);
    expect(namesOf(ours)).toEqual(['gateway', 'projector', 'operator']);
    for (const [, { environment, env_file }] of ours) {
      expect(Object.keys(environment!).filter(name => name !== 'HOME' && !settingNames.includes(name))).toEqual([]);
      expect(env_file).toEqual([{ path: '.env', required: false }]);
    }
  });

  test.each(services)('%s has a read-only image, no capabilities and resource limits', (_name, service) => {
    expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] });
    expect(service.mem_limit).toMatch(/^\d+[mg]$/);
    expect(service.pids_limit).toBeGreaterThan(0);
    expect(service.logging!.options).toEqual({ 'max-size': '10m', 'max-file': '5' });
    expect(service.restart).toMatch(/^(always|on-failure|no)$/);
  });

  test('pass EventStoreDB only its own options', () => {
    const { restart, env_file, environment = {} } = compose.services['eventstoredb']!;
    expect([restart, env_file]).toEqual(['always', undefined]);
    expect(Object.keys(environment)).not.toContain('EVENTSTORE_URL');
  });

  test('keep the log in its volume with images of EventStoreDB and KurrentDB', () => {
    const { environment, volumes, ...limits } = compose.services['eventstoredb']!;
    expect(limits).toMatchObject({ user: '1000:1000', mem_limit: '3g' });
    expect(volumes).toEqual([`events:${environment!['EVENTSTORE_DB']}`]);
    expect(compose.services['secrets']!.volumes).toContain(volumes![0]);
  });

  test('add capabilities only to the service that hands out secrets', () => {
    const given = services.filter(([, { cap_add }]) => cap_add);
    expect(given.map(([name, { cap_add }]) => [name, cap_add])).toEqual([['secrets', ['CHOWN', 'DAC_OVERRIDE']]]);
    expect(compose.services['secrets']!.network_mode).toBe('none');
    const roots = services.filter(([, { user }]) => user?.startsWith('0'));
    expect(namesOf(roots)).toEqual(['secrets']);
  });

  test('that keep running have a health check, and the others must complete', () => {
    expect(namesOf(lasting)).toEqual(['gateway', 'projector', 'eventstoredb', 'mongodb', 'prometheus', 'grafana']);
    for (const [, { healthcheck }] of lasting)
      expect(healthcheck).toMatchObject({ test: expect.any(Array), start_interval: '1s' });
    for (const [, { healthcheck }] of passing) expect(healthcheck).toEqual({ disable: true });
    const waits = services.flatMap(([, { depends_on = {} }]) => Object.entries(depends_on));
    for (const [name, { condition }] of waits) {
      const goesOn = namesOf(lasting).includes(name);
      expect([name, condition]).toEqual([name, goesOn ? 'service_healthy' : 'service_completed_successfully']);
    }
  });

  test('each have a network: internal for stores, published for gateway and monitoring', () => {
    const declared = Object.keys(compose.networks);
    const used = services.flatMap(([, { networks = [] }]) => networks);
    expect([...new Set(used)].sort()).toEqual(declared.sort());
    for (const [, { networks, network_mode }] of services) expect(networks ?? network_mode).toBeTruthy();
    for (const store of ['eventstoredb', 'mongodb', 'mongodb-users'])
      for (const network of compose.services[store]!.networks!)
        expect(compose.networks[network]).toEqual({ internal: true });
    const published = services.filter(([, { ports }]) => ports);
    expect(namesOf(published)).toEqual(['gateway', 'prometheus', 'grafana']);
    for (const [, { ports }] of published) expect(filled(ports!.join(), {})).toMatch(/^127\.0\.0\.1:\d+:\d+$/);
    const monitoring = services.filter(([, { profiles }]) => profiles?.includes('monitoring'));
    expect(namesOf(monitoring)).toEqual(['prometheus', 'grafana']);
    expect(compose.services['eventstoredb']!.networks).not.toEqual(compose.services['mongodb']!.networks);
  });

  test('use exactly the declared volumes, and files that exist', () => {
    const all = services.flatMap(([, { volumes = [] }]) => volumes);
    const sources = all.filter(volume => typeof volume === 'string').map(volume => volume.split(':')[0]!);
    const files = sources.filter(source => source.startsWith('./'));
    expect(files.filter(file => !existsSync(file))).toEqual([]);
    const named = sources.filter(source => !files.includes(source));
    expect([...new Set(named)].sort()).toEqual(Object.keys(compose.volumes).sort());
  });

  test('use pinned images and a MongoDB version without CVE-2025-14847', () => {
    for (const [, { image, build }] of services) if (!build) expect(filled(image, {})).toMatch(/:v?\d+\.\d+\.\d+/);
    const [major, minor, patch] = compose.services['mongodb']!.image.split(':')[1]!.split('.').map(Number);
    expect([major, minor]).toEqual([8, 0]);
    expect(patch).toBeGreaterThanOrEqual(17);
    expect(compose.services['mongodb']!.command).toEqual(
      expect.arrayContaining(['--keyFile', '--wiredTigerCacheSizeGB']),
    );
  });

  test('run the Node version of .nvmrc, which package.json allows', () => {
    const version = readFileSync('.nvmrc', 'utf8').trim();
    const images = [...DOCKERFILE.matchAll(/^FROM node:([\d.]+)-/gm)].map(([, of]) => of);
    expect(images).toEqual([version, version]);
    const { engines } = JSON.parse(readFileSync('package.json', 'utf8')) as { engines: { node: string } };
    expect(engines.node).toBe('>=20.19');
    expect(Number(version.split('.')[0])).toBeGreaterThanOrEqual(24);
  });
});

describe('the secrets service', () => {
  const folder = makeFolder();
  const at = (...parts: string[]) => join(folder, ...parts);
  const read = (...parts: string[]) => readFileSync(at(...parts), 'utf8');
  /** Prints the new owner instead: only root can change the owner of a file. */
  const handing = "require('node:fs').chownSync = (file, user) => console.log(user + ' ' + file);\n";
  function run(): string[] {
    const script = compose.services['secrets']!.command![0]!;
    const here = script.replace(/'\/(mongodb-keys|service-keys|given)/g, (_all, name: string) => `'${at(name)}`);
    const { stdout, stderr, status } = spawnSync(process.execPath, ['-e', handing + here], { encoding: 'utf8' });
    expect([stderr, status]).toEqual(['', 0]);
    return stdout.trim().split('\n');
  }

  beforeAll(() => {
    for (const name of ['mongodb-keys', 'service-keys', 'given']) mkdirSync(at(name));
    writeFileSync(at('given', 'relayer'), 'a key\n');
    for (const name of ['facilitator', 'issuer', 'house', 'roles', 'siblings']) mkdirSync(at('given', name));
  });

  test('creates each secret once for its user and copies the keys named in `.env`', () => {
    const owners = run().map(line => line.replace(`${folder}/`, '').replace('.new', ''));
    expect(owners).toEqual([
      '999 mongodb-keys/keyfile',
      '999 mongodb-keys/root',
      '999 mongodb-keys/service',
      '1000 service-keys/mongodb',
      '1000 service-keys/relayer',
    ]);
    expect(readdirSync(at('service-keys'))).toEqual(['mongodb', 'relayer']);
    for (const key of ['keyfile', 'root', 'service'])
      expect(statSync(at('mongodb-keys', key)).mode & 0o777).toBe(0o400);
    // mongod accepts a keyfile of 6 to 1024 base64 characters.
    expect(read('mongodb-keys', 'keyfile')).toMatch(/^[A-Za-z0-9+/]{6,1024}$/);
    expect(read('service-keys', 'mongodb')).toBe(read('mongodb-keys', 'service'));
    expect(read('service-keys', 'relayer')).toBe('a key\n');
  });

  test('keeps secrets at the next start and removes keys that are no longer named', () => {
    const before = ['keyfile', 'root', 'service'].map(key => read('mongodb-keys', key));
    expect(new Set(before).size).toBe(3);
    rmSync(at('given', 'relayer'));
    mkdirSync(at('given', 'relayer'));
    run();
    expect(['keyfile', 'root', 'service'].map(key => read('mongodb-keys', key))).toEqual(before);
    expect(readdirSync(at('service-keys'))).toEqual(['mongodb']);
  });

  test('produces settings that the gateway starts with', () => {
    const environmentOf = (given: { readonly [name: string]: string }) => {
      const texts = Object.entries(compose.services['gateway']!.environment!);
      const put = texts.map(([name, text]) => [name, filled(String(text), given)] as const);
      return Object.fromEntries(put.map(([name, text]) => [name, text.replace('/run/keys', at('service-keys'))]));
    };
    const settings = readSettings(environmentOf({ PORT: '4000' }));
    expect(settings).toMatchObject({
      port: 4000,
      baseUrl: 'http://127.0.0.1:4000',
      relayerKeyFile: null,
      vault: 'mongodb',
    });
    expect(settings.mongodbUrl).toBe(
      `mongodb://service:${read('service-keys', 'mongodb')}@mongodb:27017/network?replicaSet=rs0&authSource=admin`,
    );
    const files = { RELAYER_KEY_FILE: './relayer', FACILITATOR_HEADERS_FILE: './headers' };
    const [relayerKeyFile, facilitatorHeadersFile] = ['relayer', 'facilitator'].map(name => at('service-keys', name));
    expect(readSettings(environmentOf(files))).toMatchObject({ relayerKeyFile, facilitatorHeadersFile });
    const own = { MONGODB_URL: 'mongodb://a:b@elsewhere/name', MONGODB_PASSWORD_FILE: '' };
    expect(readSettings(environmentOf(own)).mongodbUrl).toBe(own.MONGODB_URL);
  });
});
