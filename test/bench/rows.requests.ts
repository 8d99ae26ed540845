import type { Arena, Server } from './arena.js';
import type { WireRequest } from './load.js';
import { figuresOf, runPaired, ratioOf } from './paired.js';
import type { Row } from './report.js';
import { quantile } from './statistics.js';

const ROUNDS = 5;
const WRITES = 1_000;
const READS = 6_000;
const SINGLES = 300;
/** Bursts of each kind before memory is measured. */
const LOADS = 4;
/** Uncounted first rounds: only a warm server is of interest. */
const WARM_UPS = 4;

/** Requests per second at 64 in flight. */
export const rate =
  (arena: Arena, server: Server, requests: (server: Server) => WireRequest[], status?: number) => async () =>
    (await arena.burst(server, requests(server), undefined, status)).perSecond;

export async function signedWrites(arena: Arena): Promise<Row[]> {
  const writes = (server: Server) => arena.writes.signedWrites(server, WRITES);
  const contestants = {
    service: rate(arena, 'service', writes),
    bare: rate(arena, 'bare', writes),
    models: rate(arena, 'models', writes),
  };
  const rounds = await runPaired(ROUNDS, contestants, WARM_UPS);
  const figures = figuresOf(rounds, '/s');
  return [
    row('signed write, against bare', ratioOf(rounds, 'service', 'bare'), 0.5, 0.75, figures),
    row('signed write, against bare + models', ratioOf(rounds, 'service', 'models'), 0.75, 1, figures),
  ];
}

export async function oneAtATime(arena: Arena): Promise<Row[]> {
  const p50 = (server: Server) => async () =>
    quantile((await arena.burst(server, arena.writes.signedWrites(server, SINGLES), 1)).latenciesMs, 0.5);
  const rounds = await runPaired(ROUNDS, { service: p50('service'), bare: p50('bare') });
  const ratio = ratioOf(rounds, 'service', 'bare');
  const name = 'one signed write at a time, p50, against bare';
  return [{ name, ratio, floor: 2.5, aim: 1.5, better: 'less', figures: figuresOf(rounds, 'ms', 2) }];
}

export async function bearerWrites(arena: Arena): Promise<Row[]> {
  const writes = (server: Server) => arena.writes.bearerWrites(server, WRITES);
  const rounds = await runPaired(ROUNDS, {
    service: rate(arena, 'service', writes),
    models: rate(arena, 'models', writes),
  });
  const ratio = ratioOf(rounds, 'service', 'models');
  return [row('bearer write, against bare + models', ratio, 0.75, 1, figuresOf(rounds, '/s'))];
}

export async function whoami(arena: Arena): Promise<Row[]> {
  const asked = async (name: string, by: 'signature' | 'token', floor: number, aim: number) => {
    const asks = () => arena.writes.whoamis(WRITES * 2, by);
    const rounds = await runPaired(ROUNDS, { service: rate(arena, 'service', asks), bare: rate(arena, 'bare', asks) });
    return row(name, ratioOf(rounds, 'service', 'bare'), floor, aim, figuresOf(rounds, '/s'));
  };
  return [await asked('whoami, signed', 'signature', 0.8, 1.3), await asked('whoami, by token', 'token', 0.42, 0.9)];
}

export async function memory(arena: Arena): Promise<Row[]> {
  const loaded = async (server: Server) => {
    for (let burst = 0; burst < LOADS; burst += 1) {
      await arena.burst(server, arena.writes.jobs(server, WRITES, 'signature'));
      await arena.burst(server, arena.reads.profiles(READS));
      await arena.burst(server, arena.reads.feeds(READS));
    }
    return arena.rssMiB(server);
  };
  const [service, bare, models] = [await loaded('service'), await loaded('bare'), await loaded('models')];
  const figures = `service ${service.toFixed()}, bare ${bare.toFixed()}, models ${models.toFixed()} MiB`;
  return [
    { name: 'memory after load, against bare', ratio: service / bare, floor: 2.2, aim: 1.5, better: 'less', figures },
  ];
}

export async function reads(arena: Arena): Promise<Row[]> {
  const read = async (
    name: string,
    requests: (server: Server) => WireRequest[],
    floor: number,
    aim: number,
    status = 200,
  ) => {
    const contestants = {
      service: rate(arena, 'service', requests, status),
      bare: rate(arena, 'bare', requests, status),
    };
    const rounds = await runPaired(ROUNDS, contestants);
    return row(name, ratioOf(rounds, 'service', 'bare'), floor, aim, figuresOf(rounds, '/s'));
  };
  const known = await arena.reads.knownRoleLists(arena.port('service'), READS);
  return [
    await read('profile read', () => arena.reads.profiles(READS), 0.75, 0.9),
    await read(
      'profile read that changed nothing (304)',
      server => arena.reads.knownProfiles(server, READS),
      0.8,
      0.95,
      304,
    ),
    await read('feed of 20', () => arena.reads.feeds(READS), 0.6, 0.85),
    await read(
      'roles, against a bare feed of 20',
      rolesOr(arena.reads.feeds(READS), arena.reads.roleLists(READS)),
      0.6,
      0.85,
    ),
    await read(
      'roles that changed nothing (304)',
      rolesOr(arena.reads.knownProfiles('bare', READS), known),
      0.8,
      0.95,
      304,
    ),
    await read('feed of 20, worked out each time', () => arena.reads.feedsAnew(READS / 3), 0.1, 0.2),
  ];
}

/** Requests in place of roles, which a bare server does not have. */
const rolesOr = (bare: WireRequest[], service: WireRequest[]) => (server: Server) =>
  server === 'service' ? service : bare;

export function row(name: string, ratio: number, floor: number, aim: number, figures: string): Row {
  return { name, ratio, floor, aim, better: 'more', figures };
}
