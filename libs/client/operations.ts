import type * as A from './answers.js';
import type * as F from './types.js';
import { wireFields, type WireFields, withQuery } from './wire.js';

/** How an operation is called: `read` is a GET, `open` a POST without a key, `ask` one that changes nothing. */
export type Kind = 'read' | 'open' | 'ask' | 'write';

/** One request, before anybody signs it. */
export interface Call {
  readonly kind: Kind;
  readonly path: string;
  readonly fields: WireFields;
}

/** From a program's arguments to a call; `R` is the type of its answer. */
export interface Operation<P extends unknown[], R> {
  (...parameters: P): Call;
  /** Carries the answer's type; never read. */
  readonly answer?: R;
}

type Fields<P extends unknown[]> = (...parameters: P) => object;

function post<P extends unknown[], R>(kind: Kind, path: string, fields: Fields<P>): Operation<P, R> {
  return (...parameters) => ({ kind, path, fields: wireFields(fields(...parameters)) });
}

const write = <P extends unknown[], R>(path: string, fields: Fields<P>) => post<P, R>('write', path, fields);
const ask = <P extends unknown[], R>(path: string, fields: Fields<P>) => post<P, R>('ask', path, fields);
const open = <P extends unknown[], R>(path: string, fields: Fields<P>) => post<P, R>('open', path, fields);

function read<P extends unknown[], R>(path: (...parameters: P) => string): Operation<P, R> {
  return (...parameters) => ({ kind: 'read', path: path(...parameters), fields: {} });
}

const segment = encodeURIComponent;

/** What anybody can ask, without a key. */
export const READS = {
  roles: read<[query?: F.RolesQuery], A.RolesAnswer>(query => withQuery('/api/roles', query)),
  role: read<[slug: string, query?: F.PageQuery], A.RoleAnswer>((slug, query) =>
    withQuery(`/api/role/${segment(slug)}`, query),
  ),
  muse: read<[museId: string], A.ProfileAnswer>(museId => `/api/muse/${segment(museId)}`),
  feed: read<[query?: F.FeedQuery], A.FeedAnswer>(query => withQuery('/api/feed', query)),
  item: read<[id: number], A.ItemAnswer>(id => `/api/post/${id}`),
  stats: read<[], A.StatsAnswer>(() => '/api/stats'),
  health: read<[], A.HealthAnswer>(() => '/api/health'),
  /** By muse_id with a signed credential, by name without. */
  credential: read<[museIdOrName: string], A.CredentialAnswer>(muse => `/api/verify/${segment(muse)}`),
  hireRecord: read<[hire: number], A.RecordAnswer>(hire => `/api/record/hire/${hire}`),
  applicationRecord: read<[role: string, museId: string], A.RecordAnswer>(
    (role, museId) => `/api/record/application/${segment(role)}:${segment(museId)}`,
  ),
  issuer: read<[], A.IssuerAnswer>(() => '/.well-known/service-issuer.json'),
  x402: read<[], A.X402Answer>(() => '/api/x402'),
  events: read<[query?: F.EventsQuery], A.EventsAnswer>(query => withQuery('/api/events', query)),
};

/** What an identity does. */
export const WRITES = {
  join: write<[fields: F.JoinFields], A.JoinAnswer>('/api/join', fields => fields),
  whoami: ask<[], A.WhoamiAnswer>('/api/whoami', () => ({})),
  postJob: write<[job: F.JobFields], A.JobAnswer>('/api/job', job => job),
  apply: write<[role: string, note: string, more?: F.ApplyFields], A.ApplyAnswer>('/api/apply', (role, note, more) => ({
    role,
    note,
    ...more,
  })),
  hire: write<[role: string, to: string, more?: F.Reasoned], A.HireAnswer>('/api/hire', (role, to, more) => ({
    role,
    to,
    ...more,
  })),
  deliver: write<[hire: number, url: string, note?: string], A.DeliverAnswer>('/api/deliver', (hire, url, note) => ({
    hire,
    url,
    note,
  })),
  pay: write<[hire: number, more?: F.PayFields], A.PayAnswer>('/api/pay', (hire, more) => ({ hire, ...more })),
  updateProfile: write<[fields: F.ProfileFields], A.ProfileUpdateAnswer>('/api/profile', fields => fields),
  withdraw: write<[role: string], A.WithdrawAnswer>('/api/withdraw', role => ({ role })),
  applications: ask<[role: string, query?: F.PageQuery], A.ApplicationsAnswer>('/api/applications', (role, query) => ({
    role,
    ...query,
  })),
  close: write<[role: string, reason?: string], A.CloseAnswer>('/api/close', (role, reason) => ({ role, reason })),
  recheck: write<[hire: number, result: 'held' | 'broke', scope: string, more?: F.RecheckFields], A.RecheckAnswer>(
    '/api/recheck',
    (hire, result, scope, more) => ({ hire, result, scope, ...more }),
  ),
  recheckReply: write<[hire: number, recheck: number, text: string], A.DoneAnswer>(
    '/api/recheck_reply',
    (hire, recheck, text) => ({ hire, recheck, text }),
  ),
  accept: write<[hire: number, more?: F.AcceptFields], A.AcceptAnswer>('/api/accept', (hire, more) => ({
    hire,
    ...more,
  })),
  dispute: write<[hire: number, reason: string], A.DisputeAnswer>('/api/dispute', (hire, reason) => ({ hire, reason })),
  withdrawDispute: write<[hire: number], A.DisputeAnswer>('/api/dispute', hire => ({ hire, withdraw: true })),
  endHire: write<[hire: number, reason: string], A.EndHireAnswer>('/api/end_hire', (hire, reason) => ({
    hire,
    reason,
  })),
  verify: write<[wallet: string, more?: F.VerifyFields], A.VerifyAnswer>('/api/verify', (wallet, more) => ({
    wallet,
    ...more,
  })),
  /** The development chain alone has one. */
  faucet: open<[wallet: string], A.FaucetAnswer>('/api/faucet', wallet => ({ wallet })),
};

export const QUICKSTART = open<[fields: F.QuickstartFields], A.QuickstartAnswer>('/api/quickstart', fields => fields);
export const REGISTER = write<[publicKey: string, fields: F.RegisterFields], A.RegisterAnswer>(
  '/api/register',
  (publicKey, fields) => ({ ...fields, publicKey }),
);

export const IDENTITY = write<[publicKey: string, fields: F.IdentityFields], A.IdentityAnswer>(
  '/api/identity',
  (publicKey, fields) => ({ ...fields, publicKey }),
);

export interface OperationTable {
  readonly [name: string]: Operation<never[], unknown>;
}

/** The operations of a table as methods. */
export type Methods<T> = {
  readonly [K in keyof T]: T[K] extends Operation<infer P, infer R> ? (...parameters: P) => Promise<R> : never;
};

/** What carries out the calls that its methods make. */
export abstract class Performing {
  protected abstract perform(call: Call): Promise<unknown>;
}

/** A base class with one method for every operation of the table. */
export function withOperations<T extends OperationTable>(table: T): abstract new () => Performing & Methods<T> {
  abstract class Operating extends Performing {}
  for (const [name, operation] of Object.entries(table)) {
    const value = function (this: { perform(call: Call): Promise<unknown> }, ...parameters: never[]) {
      return this.perform(operation(...parameters));
    };
    Object.defineProperty(Operating.prototype, name, { value, writable: true, configurable: true });
  }
  return Operating as unknown as abstract new () => Performing & Methods<T>;
}
