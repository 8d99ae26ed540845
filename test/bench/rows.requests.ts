import type { Arena, Server } from './arena.js';
import type { WireRequest } from './load.js';
import { type Contestants, type Rounds, rowOf, runPaired } from './paired.js';
import type { Row } from './report.js';
import type { By } from './requests.writes.js';
import { quantile } from './statistics.js';

const WRITES = 1_000;
const READS = 6_000;
const SINGLES = 300;
/** Bursts of each kind before memory is measured. */
const LOADS = 4;
/** Uncounted first rounds: only a warm server is of interest. */
const WARM_UPS = 4;

type Requests = (server: Server) => WireRequest[] | Promise<WireRequest[]>;

/** Requests per second at 64 in flight. */
export const rate = (arena: Arena, server: Server, requests: Requests, status?: number) => async () =>
  arena.burst(server, await requests(server), undefined, status);

/** Compares the rates of several servers. */
export const runRates = <Name extends Server>(
  arena: Arena,
  servers: readonly Name[],
  requests: Requests,
  warmUps = 1,
  status?: number,
): Promise<Rounds<Name>> => {
  const contestants = servers.map(server => [server, rate(arena, server, requests, status)]);
  return runPaired(Object.fromEntries(contestants) as Contestants<Name>, warmUps);
};

/** Median time of a request, one at a time. */
export const p50 = (arena: Arena, server: Server, requests: Requests) => async () =>
  quantile((await arena.burst(server, await requests(server), 1)).latenciesMs, 0.5);

export async function signedWrites(arena: Arena): Promise<Row[]> {
  const writes = (server: Server) => arena.writes.applications(server, WRITES, 'signature');
  const rounds = await runRates(arena, ['service', 'bare', 'models'], writes, WARM_UPS);
  return [
    rowOf(rounds, 'signed write, against bare', ['service', 'bare'], [0.5, 0.75]),
    rowOf(rounds, 'signed write, against bare + models', ['service', 'models'], [0.75, 1]),
  ];
}

export async function oneAtATime(arena: Arena): Promise<Row[]> {
  const writes = (server: Server) => arena.writes.applications(server, SINGLES, 'signature');
  const rounds = await runPaired({ service: p50(arena, 'service', writes), bare: p50(arena, 'bare', writes) });
  return [rowOf(rounds, 'one signed write at a time, p50, against bare', ['service', 'bare'], [2.5, 1.5], 'ms')];
}

export async function bearerWrites(arena: Arena): Promise<Row[]> {
  const rounds = await runRates(arena, ['service', 'models'], server =>
    arena.writes.applications(server, WRITES, 'token'),
  );
  return [rowOf(rounds, 'bearer write, against bare + models', ['service', 'models'], [0.75, 1])];
}

export async function whoami(arena: Arena): Promise<Row[]> {
  const measureRequests = async (name: string, by: By, goals: readonly [number, number]) => {
    const asks = () => arena.writes.whoamis(WRITES * 2, by);
    const rounds = await runRates(arena, ['service', 'bare'], asks, WARM_UPS);
    return rowOf(rounds, name, ['service', 'bare'], goals);
  };
  return [
    await measureRequests('whoami, signed', 'signature', [0.8, 1.3]),
    await measureRequests('whoami, by token', 'token', [0.42, 0.9]),
  ];
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
  const read = async (name: string, requests: Requests, goals: readonly [number, number], status = 200) => {
    const rounds = await runRates(arena, ['service', 'bare'], requests, 1, status);
    return rowOf(rounds, name, ['service', 'bare'], goals);
  };
  const roleLists = await arena.reads.knownRoleLists(arena.port('service'), READS);
  const unchanged = (server: Server) => arena.reads.knownProfiles(server, READS);
  const roles = rolesOr(arena.reads.feeds(READS), arena.reads.roleLists(READS));
  const unchangedRoles = rolesOr(arena.reads.knownProfiles('bare', READS), roleLists);
  return [
    await read('profile read', () => arena.reads.profiles(READS), [0.75, 0.9]),
    await read('profile read that changed nothing (304)', unchanged, [0.8, 0.95], 304),
    await read('feed of 20', () => arena.reads.feeds(READS), [0.6, 0.85]),
    await read('roles, against a bare feed of 20', roles, [0.6, 0.85]),
    await read('roles that changed nothing (304)', unchangedRoles, [0.8, 0.95], 304),
    await read('feed of 20, worked out each time', () => arena.reads.feedsAnew(READS / 3), [0.1, 0.2]),
  ];
}

/** Requests in place of roles, which a bare server does not have. */
const rolesOr = (bare: WireRequest[], service: WireRequest[]) => (server: Server) =>
  server === 'service' ? service : bare;
