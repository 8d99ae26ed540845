import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { IssuerKeyAdded, LOG_FORMAT, Service } from '#libs/domain/service.js';
import { transformedSources } from '../doubles/transformed-sources.js';
import { LocalServer } from '../local-server.js';

/** Runs an auditor with a small heap in its own process against a hostile service. */
const TERMINAL = '\u001b]0;owned\u0007\u009b2J\u202e';
/** Long names fill the memory of the auditor quickly. */
const NAME_CHARACTERS = 20_000;
const TIMEOUT_MS = 120_000;

let sent: number;
let running: ChildProcess | undefined;
let line: (number: number) => string;
const server = new LocalServer(({ url }, response) => {
  if (url === '/api/events/checkpoint') return flood(response);
  // The auditor asks again after the last event, until there is none.
  sent = Number(new URL(url!, server.url).searchParams.get('after'));
  send(response);
});
beforeAll(() => server.listen());
afterEach(() => void running?.kill('SIGKILL'));
afterAll(() => server.stop());

function send(response: ServerResponse): void {
  while (!response.destroyed && response.write(line((sent += 1))));
  if (!response.destroyed) response.once('drain', () => send(response));
}

function flood(response: ServerResponse): void {
  while (!response.destroyed && response.write('x'.repeat(NAME_CHARACTERS)));
  if (!response.destroyed) response.once('drain', () => flood(response));
}

async function audited() {
  const program = join(transformedSources(), 'apps', 'auditor', 'main.js');
  const auditor = spawn(process.execPath, ['--max-old-space-size=96', program, 'verify', '--from', server.url], {
    env: { PATH: process.env['PATH'] },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const out of [auditor.stdout, auditor.stderr]) out.on('data', (chunk: Buffer) => (output += chunk.toString()));
  running = auditor;
  const [code, signal] = (await once(auditor, 'close')) as [number | null, string | null];
  return { code, signal, output };
}

function eventOf(number: number): object {
  const id = `00000000-0000-8000-8000-${String(number).padStart(12, '0')}`;
  const head = { id, type: 'Registered', version: 1, position: String(number).padStart(20, '0'), at: number };
  const place = {
    stream: `muse-agent_${number}${TERMINAL}${'x'.repeat(NAME_CHARACTERS)}`,
    revision: 0,
    actor: `a${number}`,
    cause: id,
  };
  const why = { decided_by: `register${TERMINAL}@1`, based_on: {}, authorization: { kind: 'service' } };
  return { ...head, ...place, ...why, data: { number }, digest: 'd'.repeat(64) };
}

/** A log begins with the key that names its format. */
const logEvent = (number: number) =>
  number === 1
    ? { ...eventOf(1), type: IssuerKeyAdded.type, stream: Service.streamName(), data: { format: LOG_FORMAT } }
    : eventOf(number);

test(
  'an endless feed stops with a message before the memory is full',
  async () => {
    line = number => `${JSON.stringify(logEvent(number))}\n`;
    const { code, signal, output } = await audited();
    expect([code, signal]).toEqual([1, null]);
    expect(output).toMatch(/^The memory is nearly full after \d+ events, and the log has not ended\./);
  },
  TIMEOUT_MS,
);

test(
  'an endless feed without the format of its log is refused after its first events',
  async () => {
    line = number => `${JSON.stringify(eventOf(number))}\n`;
    const { code, output } = await audited();
    expect([code, sent < 10_000]).toEqual([1, true]);
    expect(output).toMatch(/names no format, and this version reads format \d+\. Use the version that wrote it\.$/m);
  },
  TIMEOUT_MS,
);

test(
  'control characters of a service are printed as text',
  async () => {
    line = number => `${JSON.stringify(number < 20 ? logEvent(number) : { head: '20' })}\n`;
    const { code, output } = await audited();
    expect(code).toBe(1);
    expect(output).toContain('owned');
    expect([...TERMINAL].filter(character => /[^\w;]/.test(character) && output.includes(character))).toEqual([']']);
  },
  TIMEOUT_MS,
);
