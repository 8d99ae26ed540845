import { createServer, type Server, type ServerResponse } from 'node:http';
import { afterEach, expect, test } from '@jest/globals';
import { Findings } from '#libs/audit/findings.js';
import { requireLogFormat } from '#libs/audit/log-format.js';
import type { PublicEvent } from '#libs/audit/public-event.js';
import { feedSource } from '#libs/audit/sources/feed.js';
import { ANSWER_BYTES_MAX, readJsonBody } from '#libs/audit/sources/service-fetch.js';
import type { EventSource } from '#libs/audit/sources/source.js';
import { limitMemory } from '#libs/audit/sources/memory-limit.js';
import { IssuerKeyAdded, LOG_FORMAT } from '#libs/domain/service.js';
import { listen } from '../../listen.js';

const PATIENT = { lineMs: 20_000, resumeMs: 1 };
const SOON = { lineMs: 100, resumeMs: 1 };
const MEBIBYTE = 'x'.repeat(1024 * 1024);
const HEAD = '{"head":"2"}\n';
const lineAt = (position: number) => `${JSON.stringify({ position: String(position).padStart(20, '0') })}\n`;

let server: Server | undefined;
let urls: string[];
afterEach(async () => {
  server?.closeAllConnections();
  await new Promise(resolve => (server ? server.close(resolve) : resolve(undefined)));
});

/** Starts a server with this handler and returns its address. */
async function hostile(answer: (response: ServerResponse) => void): Promise<string> {
  urls = [];
  server = createServer((request, response) => {
    urls.push(request.url!);
    answer(response);
  });
  return listen(server);
}

/** The answer to the first request; later ones get no new event. */
const firstOf = (text: string) => (urls.length === 1 ? text : HEAD);
const isFromStart = (url: string) => /after=0+$/.test(url);

async function read(source: EventSource): Promise<number> {
  let count = 0;
  for await (const _event of source.events(new Findings())) count += 1;
  return count;
}

/** Writes until the reader disconnects. */
function endless(response: ServerResponse, next: () => string): void {
  const more = () => {
    while (!response.destroyed && response.write(next()));
    if (!response.destroyed) response.once('drain', more);
  };
  more();
}

test('a feed ends once nothing is new at its head, also after a reconnect', async () => {
  const texts = [lineAt(1) + lineAt(2), lineAt(3) + HEAD, lineAt(4) + HEAD, HEAD];
  const address = await hostile(response => response.end(texts.shift()));
  expect(await read(feedSource(address, PATIENT))).toBe(4);
  const after = urls.map(url => url.replace(/^.*after=0+(?=\d)/, ''));
  expect(after).toEqual(['0', '2', '3', '4']);
});

test.each<[string, string[], string]>([
  ['returns to an earlier position', [lineAt(1), lineAt(2), lineAt(1)], 'positions must increase'],
  ['repeats one event', [lineAt(1)], 'positions must increase'],
  ['changes the length of its positions', [lineAt(1), '{"position":"2"}\n'], 'positions must increase'],
  ['sends lines without a position', ['{"a":1}\n'], 'neither an event with a position nor the head'],
  ['sends null', ['null\n'], 'neither an event with a position nor the head'],
  ['sends lines that are not JSON', ['x\n'], 'is not valid JSON'],
  ['sends empty lines', ['\n'], 'JSON'],
])('rejects a feed that %s', async (_case, lines, why) => {
  const address = await hostile(response => {
    let at = 0;
    endless(response, () => lines[Math.min(at++, lines.length - 1)]!);
  });
  await expect(read(feedSource(address, PATIENT))).rejects.toThrow(why);
});

/** First line of a log, whose key names this format. */
const keyLine = (format: number) =>
  `${JSON.stringify({ ...KEY, type: IssuerKeyAdded.type, data: { format }, position: '00000000000000000001' })}\n`;
const TEXTS = { id: '', stream: 'service', actor: '', cause: '', decided_by: '', digest: '' };
const KEY = { ...TEXTS, authorization: {}, based_on: {}, revision: 0, at: 1 };

test('a feed is read once, also for the check of the format of its log', async () => {
  const address = await hostile(response => response.end(firstOf(keyLine(LOG_FORMAT) + lineAt(2) + HEAD)));
  expect(await read(requireLogFormat(feedSource(address, PATIENT)))).toBe(2);
  expect(urls.filter(isFromStart)).toHaveLength(1);
});

test.each([
  ['another format', keyLine(LOG_FORMAT + 1) + HEAD, `has format ${LOG_FORMAT + 1},`],
  ['no key', lineAt(1) + HEAD, 'names no format,'],
  ['no event', HEAD, 'names no format,'],
])('a feed with %s is refused in a sentence', async (_what, text, sentence) => {
  const address = await hostile(response => response.end(firstOf(text)));
  await expect(read(requireLogFormat(feedSource(address, PATIENT)))).rejects.toThrow(sentence);
  expect(urls.filter(isFromStart)).toHaveLength(1);
});

test('gives up on a feed that repeats its pages', async () => {
  const address = await hostile(response => response.end(lineAt(1) + lineAt(2)));
  await expect(read(feedSource(address, PATIENT))).rejects.toThrow('it sends 00000000000000000001');
  expect(urls).toHaveLength(2);
});

test('gives up on a line that is longer than any event', async () => {
  let sent = 0;
  const address = await hostile(response => endless(response, () => ((sent += MEBIBYTE.length), MEBIBYTE)));
  await expect(read(feedSource(address, PATIENT))).rejects.toThrow('A line is longer than 8388608 characters.');
  expect(urls).toHaveLength(1);
  expect(sent).toBeLessThan(64 * MEBIBYTE.length);
});

test('gives up on a line that arrives too slowly', async () => {
  const drips = new Set<NodeJS.Timeout>();
  const address = await hostile(response => void drips.add(setInterval(() => response.write('x'), 10)));
  await expect(read(feedSource(address, SOON))).rejects.toThrow('No complete line arrived within 0.1 s.');
  drips.forEach(clearInterval);
});

test('gives up on a service that never responds', async () => {
  const address = await hostile(() => undefined);
  await expect(read(feedSource(address, SOON))).rejects.toThrow('No complete line arrived within 0.1 s.');
});

test('a slow reader does not time out the feed', async () => {
  const address = await hostile(response => response.end(firstOf(lineAt(1) + lineAt(2) + HEAD)));
  let count = 0;
  const lineMs = 500;
  for await (const _event of feedSource(address, { ...PATIENT, lineMs }).events(new Findings())) {
    count += 1;
    await new Promise(resolve => setTimeout(resolve, lineMs + SOON.lineMs));
  }
  expect([count, urls.length]).toEqual([2, 2]);
});

test('an audit stops with a clear error when memory is nearly full', async () => {
  const kept: object[] = [];
  async function* forEver(): AsyncGenerator<PublicEvent> {
    for (;;) {
      for (let many = 0; many < 10_000; many += 1) kept.push({ many });
      await new Promise(resolve => setImmediate(resolve));
      yield {} as PublicEvent;
    }
  }
  const share = 0.000_001;
  const reading = read(limitMemory({ origin: 'a', events: forEver }, share));
  await expect(reading).rejects.toThrow(/The memory is nearly full after \d+ events/);
});

test('gives up on a response that never ends', async () => {
  const address = await hostile(response => endless(response, () => MEBIBYTE));
  const reading = fetch(address).then(readJsonBody);
  await expect(reading).rejects.toThrow(`The answer is longer than ${ANSWER_BYTES_MAX} bytes.`);
});

test('a finding truncates very long texts', () => {
  const findings = new Findings();
  findings.add('order', MEBIBYTE, { position: MEBIBYTE, stream: MEBIBYTE, type: MEBIBYTE });
  expect(JSON.stringify(findings.list).length).toBeLessThan(5_000);
});
