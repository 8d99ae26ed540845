import { connect, type Socket } from 'node:net';

const BURST_MS_MAX = 1_500;

export type WireRequest = Buffer;

export interface BurstResult {
  readonly perSecond: number;
  /** Processor time of the server per request, and of all work that follows from it. */
  readonly processorMicros?: number;
  readonly latenciesMs: readonly number[];
}

export function wire(method: string, path: string, headers: object = {}, body?: object): WireRequest {
  const text = body === undefined ? '' : JSON.stringify(body);
  const json =
    body === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
  const lines = Object.entries({ host: '127.0.0.1', ...json, ...headers }).map(([name, value]) => `${name}: ${value}`);
  return Buffer.from([`${method} ${path} HTTP/1.1`, ...lines, '', text].join('\r\n'));
}

/**
 * Sends each request once over `inFlight` connections until a time limit; throws on another status.
 * Bare sockets, because an HTTP client would cost more than the measured server.
 */
export async function burst(
  port: number,
  requests: readonly WireRequest[],
  inFlight: number,
  status = 200,
): Promise<BurstResult> {
  const sockets = await Promise.all(Array.from({ length: Math.min(inFlight, requests.length) }, () => open(port)));
  const latenciesMs: number[] = [];
  let next = 0;
  const start = performance.now();
  const work = async (socket: Socket) => {
    while (next < requests.length && performance.now() - start < BURST_MS_MAX) {
      latenciesMs.push(await exchange(socket, requests[next++]!, status));
    }
  };
  try {
    await Promise.all(sockets.map(work));
    const seconds = (performance.now() - start) / 1_000;
    return { perSecond: latenciesMs.length / seconds, latenciesMs: latenciesMs.sort((a, b) => a - b) };
  } finally {
    sockets.forEach(socket => socket.destroy());
  }
}

export async function fetchAll<T>(port: number, requests: readonly WireRequest[], inFlight = 16): Promise<T[]> {
  const sockets = await Promise.all(Array.from({ length: Math.min(inFlight, requests.length) }, () => open(port)));
  const answers: T[] = [];
  let next = 0;
  const work = async (socket: Socket) => {
    while (next < requests.length) {
      const at = next++;
      const answer = await exchangeBytes(socket, requests[at]!);
      checkStatus(answer, 200);
      answers[at] = JSON.parse(answer.subarray(answer.indexOf('\r\n\r\n') + 4).toString()) as T;
    }
  };
  await Promise.all(sockets.map(work));
  sockets.forEach(socket => socket.destroy());
  return answers;
}

function open(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    socket.once('error', reject).once('connect', () => resolve(socket));
  });
}

async function exchange(socket: Socket, request: WireRequest, status: number): Promise<number> {
  const sent = performance.now();
  const answer = await exchangeBytes(socket, request);
  checkStatus(answer, status);
  return performance.now() - sent;
}

function checkStatus(answer: Buffer, status: number): void {
  const statusCode = Number(answer.toString('latin1', 9, 12));
  if (statusCode !== status) throw new Error(`Answered ${statusCode}: ${answer.toString().slice(-400)}`);
}

function exchangeBytes(socket: Socket, request: WireRequest): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let had: Buffer | undefined;
    const onData = (chunk: Buffer) => {
      had = had ? Buffer.concat([had, chunk]) : chunk;
      if (had.length < lengthOf(had)) return;
      done();
      resolve(had);
    };
    const onClose = () => {
      done();
      reject(new Error('The server closed the connection.'));
    };
    const done = () => socket.off('data', onData).off('close', onClose);
    socket.on('data', onData).on('close', onClose).write(request);
  });
}

/** Total length of the response, or infinity while its head is incomplete. */
function lengthOf(had: Buffer): number {
  const head = had.indexOf('\r\n\r\n');
  if (head < 0) return Infinity;
  const length = /content-length: (\d+)/i.exec(had.toString('latin1', 0, head));
  return head + 4 + Number(length?.[1] ?? 0);
}
