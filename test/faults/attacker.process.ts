import { Agent, request as httpRequest } from 'node:http';
import { connect, type Socket } from 'node:net';
import { CONNECTIONS_MAX } from '#libs/http/connections.js';

/**
 * Attacks a service from another address of this machine: `node attacker.process.js <attack> <url> <ms>`. `attack` is a
 * name or a flood as JSON. Prints the responses by status as a line of JSON, and the time until all came as `ms`.
 */
const [name, url, ms] = process.argv.slice(2) as [string, string, string];
const { hostname, port } = new URL(url);
const ADDRESS = '127.0.0.66';
const endsAt = Date.now() + Number(ms);
const isOver = () => Date.now() >= endsAt;
const pause = (pauseMs: number) => new Promise(resolve => setTimeout(resolve, pauseMs));

const counts: { [what: string]: number } = {};
const count = (what: string | number) => void (counts[what] = (counts[what] ?? 0) + 1);

interface Asked {
  readonly path: string;
  readonly method?: string;
  readonly headers?: { readonly [name: string]: string };
}

const agent = new Agent({ keepAlive: true, localAddress: ADDRESS });

/** Reads a response until its end or the end of the attack, and counts its status. */
function ask({ path, method = 'GET', headers = {} }: Asked): Promise<void> {
  return new Promise(resolve => {
    const asking = httpRequest({ agent, hostname, port, path, method, headers }, response => {
      count(response.statusCode!);
      response.resume().on('close', resolve);
    });
    const timer = setTimeout(() => asking.destroy(), Math.max(1, endsAt - Date.now()));
    asking.on('error', () => (isOver() ? undefined : count('lost')));
    asking.on('close', () => {
      clearTimeout(timer);
      resolve();
    });
    asking.end();
  });
}

async function loops(many: number, pauseMs: number, turn: () => Promise<void>): Promise<void> {
  const loop = async () => {
    while (!isOver()) {
      await turn();
      await pause(pauseMs);
    }
  };
  await Promise.all(Array.from({ length: many }, loop));
}

function connected(): Promise<Socket> {
  return new Promise(resolve => {
    const socket = connect({ port: Number(port), host: hostname, localAddress: ADDRESS });
    socket.on('error', () => undefined);
    socket.once('connect', () => resolve(socket)).once('close', () => resolve(socket));
  });
}

const { head: after } = (await (await fetch(`${url}/api/events?limit=1`)).json()) as { readonly head: string };

const LONG = 'x'.repeat(12_000);
let made = 0;
const pick = <T>(...some: T[]) => some[(made += 1) % some.length]!;
const EVENT_STREAM = { accept: 'text/event-stream' };

/** Matches the limit of the service per address. */
const OPEN_MAX = CONNECTIONS_MAX.perAddress;

interface Flood {
  readonly connections: number;
  readonly requestsEach: number;
  readonly path: string;
  readonly accept?: string;
  readonly isRead?: boolean;
}

async function flood({ connections, requestsEach, path, accept = '*/*', isRead = true }: Flood): Promise<void> {
  const request = `GET ${path} HTTP/1.1\r\nhost: a\r\naccept: ${accept}\r\n\r\n`;
  const sockets = await Promise.all(Array.from({ length: connections }, connected));
  const startedAt = Date.now();
  let left = connections * requestsEach;
  for (const socket of sockets) {
    if (!isRead) socket.pause();
    else
      socket.on('data', (chunk: Buffer) => {
        for (const [, status] of chunk.toString('latin1').matchAll(/HTTP\/1\.1 (\d{3})/g)) {
          count(status!);
          if (--left === 0) counts['ms'] = Date.now() - startedAt;
        }
      });
    socket.write(request.repeat(requestsEach));
  }
  while (!isOver() && left > 0) await pause(50);
  sockets.forEach(socket => socket.destroy());
}

const ALL_EVENTS = '/api/events?limit=1000';

const ATTACKS: { readonly [name: string]: () => Promise<void> } = {
  /** Long and distinct addresses fill caches. */
  memory: () =>
    loops(4, 10, () => {
      const path = pick('/api/roles', '/api/muses', '/api/feed', '/api/health', '/api/stats');
      return ask({ path: `${path}?${pick('junk', 'q', 'skill')}=${(made += 1)}${LONG}` });
    }),
  /** Excess waiters with the most expensive filters, reopened at once. */
  waiting: () =>
    loops(24, 250, () => {
      const filter = pick('', '&muse_id=agent_0123456789', '&stream=job-nothing', '&types=Claimed');
      return pick(
        () => ask({ path: `/api/events?wait=25&after=${after}${filter}` }),
        () => ask({ path: `/api/events?after=${after}${filter}`, headers: EVENT_STREAM }),
        () => ask({ path: `/api/events?limit=1000${filter}` }),
      )();
    }),
  heads: () =>
    loops(4, 10, () =>
      pick<Asked[]>(
        [{ path: '/api/events', method: 'HEAD', headers: EVENT_STREAM }],
        [{ path: '/api/events', method: 'HEAD', headers: { accept: 'application/x-ndjson' } }],
        [{ path: '/api/events?wait=25', method: 'HEAD' }],
        [{ path: '/api/roles', method: 'QUERY' }],
        [{ path: '/api/events', method: 'TRACE' }],
      ).reduce((before, request) => before.then(() => ask(request)), Promise.resolve()),
    ),
  drips: () =>
    loops(200, 10, async () => {
      const socket = await connected();
      socket.write('POST /api/quickstart HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n');
      socket.write('content-length: 60000\r\n\r\n');
      socket.once('data', (chunk: Buffer) => count(chunk.toString('latin1').slice(9, 12)));
      while (!isOver() && !socket.destroyed && socket.writable) {
        socket.write(' ');
        await pause(250);
      }
      socket.destroy();
    }),
  idle: async () => {
    const sockets: Socket[] = [];
    for (let opened = 0; opened < 1_500 && !isOver(); opened += 1) {
      const socket = await connected();
      if (opened % 2 === 0) socket.write('GET /api/health/live HTTP/1.1\r\nhost: a\r\n\r\n');
      sockets.push(socket.resume());
    }
    while (!isOver()) await pause(50);
    // A busy service accepts the last connections late.
    const open = () => sockets.filter(({ destroyed }) => !destroyed).length;
    for (let waits = 0; open() > OPEN_MAX && waits < 200; waits += 1) await pause(100);
    for (const { destroyed } of sockets) count(destroyed ? 'closed' : 'open');
    sockets.forEach(socket => socket.destroy());
  },
  pipelined: () => flood({ connections: 1, requestsEach: 250, path: ALL_EVENTS }),
  pages: () => flood({ connections: 550, requestsEach: 1, path: ALL_EVENTS }),
  lines: () => flood({ connections: 550, requestsEach: 1, path: '/api/events', accept: 'application/x-ndjson' }),
  unread: () => flood({ connections: 300, requestsEach: 20, path: ALL_EVENTS, isRead: false }),
};

await (name.startsWith('{') ? flood(JSON.parse(name) as Flood) : ATTACKS[name]!());
agent.destroy();
process.stdout.write(`${JSON.stringify(counts)}\n`, () => process.exit(0));
