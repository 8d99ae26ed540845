import { HOUR_MS, MINUTE_MS, SECOND_MS } from '#libs/kernel/clock.js';
import { CONCURRENT, type Limit } from './limit.js';

const MINUTE_SECONDS = MINUTE_MS / SECOND_MS;
const HOUR_SECONDS = HOUR_MS / SECOND_MS;

export const REQUESTS: Limit = { name: 'requests', points: 60, seconds: MINUTE_SECONDS, per: 'muse' };

export const FAILED_AUTHENTICATIONS: Limit = {
  name: 'failed_authentications',
  points: 30,
  seconds: HOUR_SECONDS,
  per: 'address',
};

export const NEW_IDENTITIES: Limit = { name: 'new_identities', points: 10, seconds: HOUR_SECONDS, per: 'address' };

export const NEW_IDENTITIES_OF_LOOPBACK = 600;

/** Reads by an address, also with a token: one point each, and more for events. Each process counts its own. */
export const READS: Limit = { name: 'reads', points: 600, seconds: MINUTE_SECONDS, per: 'address' };

/** `leftOut` is the number of events that a filter left out. */
export const readPoints = (events: number, leftOut = 0): number =>
  1 + Math.floor(events / 100) + Math.floor(leftOut / 1_000);

/** Requests that lack a signature and a token. Each process counts its own. */
export const UNSIGNED: Limit = { name: 'unsigned', points: 600, seconds: MINUTE_SECONDS, per: 'address' };

/** Look-ups of unknown sibling ids. Successful ones are refunded, so only guesses count. */
export const SIBLING_LOOKUPS: Limit = { name: 'sibling_lookups', points: 30, seconds: HOUR_SECONDS, per: 'address' };
export const SIBLING_LOOKUPS_IN_ALL: Limit = {
  name: 'sibling_lookups_in_all',
  points: 10,
  seconds: MINUTE_SECONDS,
  per: 'service',
};

/** Open live tails and long polls, counted in each process. */
export const EVENT_TAILS: Limit = { name: 'event_tails', points: 4, seconds: CONCURRENT, per: 'address' };
export const EVENT_WAITS: Limit = { name: 'event_waits', points: 32, seconds: CONCURRENT, per: 'address' };
/** Tails and polls together, because each of them reads every event. */
export const EVENT_PLACES: Limit = { name: 'event_places', points: 256, seconds: CONCURRENT, per: 'service' };
export const INBOX_WAITS: Limit = { name: 'inbox_waits', points: 4, seconds: CONCURRENT, per: 'muse' };

export const GENERAL_LIMITS: readonly Limit[] = [
  REQUESTS,
  FAILED_AUTHENTICATIONS,
  SIBLING_LOOKUPS,
  SIBLING_LOOKUPS_IN_ALL,
  READS,
  UNSIGNED,
  EVENT_TAILS,
  EVENT_WAITS,
  EVENT_PLACES,
  INBOX_WAITS,
];
