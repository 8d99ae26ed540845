import { type IncomingMessage, createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readArguments } from '#apps/auditor/arguments.js';
import { runCommand } from '#apps/auditor/commands.js';
import { readSettings } from '#libs/setup/settings.js';
import type { Cast } from '../paging-lists.js';
import { fillLists } from '../paging-story.js';
import { World } from '../world.js';

/** More applications than a page. */
const COUNT = 105;
const FILLING_MS = 300_000;
const EQUAL = { ok: true, moved: false, differences: [] };

const diff = async (address: string, from: string): Promise<unknown> =>
  (await runCommand(readArguments(['diff', address, '--from', from])!, readSettings({}))).json;

interface Answer {
  [member: string]: unknown;
}

/** Another store's answers: a proxy that changes each JSON answer and forwards cursors without its own prefix. */
class OtherStore {
  change: (answer: Answer, path: string) => void = () => undefined;
  readonly paths: string[] = [];
  private readonly server: Server;

  constructor(target: () => string) {
    this.server = createServer((request, response) => {
      void this.forward(target(), request).then(text => response.end(text));
    });
  }

  async listen(): Promise<string> {
    await new Promise<void>(resolve => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private async forward(target: string, { url }: IncomingMessage): Promise<string> {
    this.paths.push(url!);
    const answer = (await (await fetch(target + url!.replace('=other.', '='))).json()) as Answer;
    if (typeof answer['next'] === 'string' && !url!.startsWith('/api/events'))
      answer['next'] = `other.${answer['next']}`;
    this.change(answer, url!);
    return JSON.stringify(answer);
  }
}

let world: World;
let cast: Cast;
let address: string;
const other = new OtherStore(() => world.url);
beforeAll(async () => {
  world = await World.start();
  cast = await fillLists(world, COUNT);
  address = await other.listen();
}, FILLING_MS);
afterAll(async () => {
  other.stop();
  await world.stop();
});

test(
  'diff compares all pages of lists, whatever the cursors of the service look like',
  async () => {
    expect(await diff(address, world.url)).toMatchObject(EQUAL);
    const followed = new Set(other.paths.filter(path => path.includes('=other.')).map(path => path.split('?')[0]));
    const { role, post, owner, binder } = cast;
    const lists = ['/api/feed', '/api/roles', '/api/people', '/api/projects', `/api/role/${role}`, `/api/post/${post}`];
    const ofOwner = [`/api/muse/${owner.museId}/activity`, `/api/muse/${owner.museId}/connections`];
    for (const list of [...lists, ...ofOwner, `/api/role/${role}/hires`, `/api/muse/${binder}/keys`])
      expect([...followed]).toContain(list);
  },
  FILLING_MS,
);

test(
  'diff reports an item that a later page leaves out, and a list that ends early',
  async () => {
    const [rolePath, postPath] = [`/api/role/${cast.role}`, `/api/post/${cast.post}`];
    other.change = (answer, path) => {
      if (path.startsWith(`${rolePath}?`)) (answer['applications'] as unknown[]).pop();
      if (path === postPath) answer['next'] = null;
    };
    const { differences } = (await diff(address, world.url)) as { differences: { read: string; field: string }[] };
    const fields = differences.map(({ read, field }) => `${read.replace(/other\..+$/, '')} ${field.split('.')[0]}`);
    expect([...new Set(fields)]).toEqual([`${rolePath}?after= applications`, `${postPath} next`]);
  },
  FILLING_MS,
);
