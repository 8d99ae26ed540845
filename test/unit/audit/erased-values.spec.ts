import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { reportErasedValues } from '#libs/audit/erased-values.js';
import { Findings } from '#libs/audit/findings.js';
import { MINUTE_MS } from '#libs/kernel/clock.js';
import { LocalServer } from '../../local-server.js';

const ERASED_AT = 1_700_000_000_000;
const after = '00000000000000000004';
const event = {
  id: 'an-id',
  type: 'Posted',
  position: '00000000000000000005',
  stream: 'post-1',
  revision: 0,
};
const shown = {
  ...event,
  at: 1,
  actor: 'agent_worker0000',
  cause: 'request/1',
  decided_by: 'post@1',
  based_on: {},
  authorization: {},
  data: { text: { sealed: 'sealed', value: 'Still shown.' } },
  digest: '',
};
const erased = { ...shown, data: { text: { sealed: 'sealed' } } };

let answer: object;
let now: number;
/** Time and address of each request, and the times at which the auditor waited. */
let [requests, pauses]: [[number, string][], number[]] = [[], []];
const service = new LocalServer((request, response) => {
  requests.push([now, request.url!]);
  response.end(JSON.stringify({ events: [answer] }));
});
beforeAll(() => service.listen());
afterAll(() => service.stop());

async function problemsAt(time: number, second: object, address: string | null = service.url): Promise<string[]> {
  [answer, now, requests, pauses] = [second, time, [], []];
  const pause = async (ms: number) => void (pauses.push(ms), (now += ms));
  const findings = new Findings();
  const values = [{ event, after, erasedAt: ERASED_AT, name: 'text' }];
  await reportErasedValues(values, address, findings, null, { now: () => now, pause });
  return findings.list.map(({ kind, problem }) => `${kind}: ${problem}`);
}

const FOUND = ['shown: It shows its text, which was erased before.'];

test('an erased value is asked for once more, a minute after its erasure', async () => {
  expect(await problemsAt(ERASED_AT + 1_000, shown)).toEqual(FOUND);
  expect(requests).toEqual([[ERASED_AT + MINUTE_MS, `/api/events?limit=1&after=${after}`]]);
  expect(pauses).toEqual([MINUTE_MS - 1_000]);
});

test('an older erased value is asked for once more at once', async () => {
  expect(await problemsAt(ERASED_AT + 2 * MINUTE_MS, shown)).toEqual(FOUND);
  expect([requests.length, pauses]).toEqual([1, [0]]);
});

test('an erased value that the service no longer shows is not reported', async () => {
  expect(await problemsAt(ERASED_AT, erased)).toEqual([]);
  expect(await problemsAt(ERASED_AT, { ...shown, id: 'another' })).toEqual([]);
});

test('an erased value in a file is found without a service', async () => {
  expect(await problemsAt(ERASED_AT, erased, null)).toEqual(FOUND);
  expect([requests, pauses]).toEqual([[], []]);
});
