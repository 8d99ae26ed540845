import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { message, VERSION } from '../a2a.js';
import { modern } from '../mcp.js';
import { type Headings, quickstart } from '../raw-agent.js';
import { loggedErrors } from '../world/logged-errors.js';
import { CLEAN, World } from '../world.js';

/** A service that stops while callers wait on connections that they keep alive. */
const WITHIN_MS = 1_000;
/** Also closes the stores and the nodes of the development chain. */
const STOPPED_MS = 5_000;
const BEGUN_MS = 500;

let world: World;
let agent: Agent;
let bearer: Headings;
beforeAll(async () => {
  world = await World.start();
  agent = new Agent({ keepAlive: true });
  ({ headers: bearer } = await quickstart(world.url, { name: 'Waiter', kind: 'publisher' }));
});
afterAll(async () => {
  agent.destroy();
  await world.stop();
});

interface Ended {
  readonly status: number;
  readonly text: string;
  /** Null where the connection broke. */
  readonly endedAt: number | null;
}

function ask(path: string, headers: Headings, body?: string): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const method = body === undefined ? 'GET' : 'POST';
    const sent = request(`${world.url}${path}`, { agent, method, headers }, response => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      const status = response.statusCode!;
      response.on('end', () => resolve({ status, text, endedAt: performance.now() }));
      response.on('error', () => resolve({ status, text, endedAt: null }));
    });
    sent.on('error', reject).end(body);
  });
}

const headOf = async () => ((await (await fetch(`${world.url}/api/events?limit=1`)).json()) as { head: string }).head;
const json = { 'content-type': 'application/json' };

test('answers every waiting request and ends every live tail within a second', async () => {
  const after = await headOf();
  const [tool, mcpHeaders] = modern('tools/call', { name: 'inbox', arguments: { wait: '25' } });
  const job = message('Translate one page of a manual into French.', {});
  const stream = { jsonrpc: '2.0', id: 1, method: 'SendStreamingMessage', params: job };
  const asked = {
    page: ask(`/api/events?after=${after}&types=Paid&wait=25`, {}),
    tail: ask('/api/events?types=Paid', { accept: 'text/event-stream' }),
    inbox: ask('/api/inbox', { ...json, ...bearer }, '{"wait":"25"}'),
    tool: ask('/mcp', { ...mcpHeaders, ...bearer }, tool),
    stream: ask('/a2a', { ...json, ...VERSION, ...bearer }, JSON.stringify(stream)),
  };
  await pause(BEGUN_MS);
  const before = loggedErrors().length;
  expect(await world.audit()).toEqual(CLEAN);
  const from = performance.now();
  let stoppedMs = 0;
  await world.restart({}, () => void (stoppedMs = performance.now() - from));
  const ended = Object.entries(asked).map(async ([name, asking]) => [name, await asking] as const);
  const answers = Object.fromEntries(await Promise.all(ended));
  expect(loggedErrors().slice(before)).toEqual([]);
  for (const [name, { status, endedAt }] of Object.entries(answers)) {
    expect([name, status, endedAt]).toEqual([name, 200, expect.any(Number)]);
    expect([name, endedAt! - from < WITHIN_MS]).toEqual([name, true]);
  }
  expect(JSON.parse(answers['page']!.text)).toMatchObject({ ok: true, events: [] });
  expect(JSON.parse(answers['inbox']!.text)).toMatchObject({ ok: true, items: [] });
  expect(answers['tail']!.text).toContain(': the events follow');
  expect(answers['stream']!.text).toContain('TASK_STATE_SUBMITTED');
  expect(answers['stream']!.text).not.toContain('error');
  expect(stoppedMs).toBeLessThan(STOPPED_MS);
  expect(await world.audit()).toEqual(CLEAN);
});
