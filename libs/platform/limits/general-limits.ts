import { HOUR_MS, MINUTE_MS, SECOND_MS } from '#libs/kernel/clock.js';
import { CONCURRENT, type Limit } from './limit.js';

const MINUTE_SECONDS = MINUTE_MS / SECOND_MS;
const HOUR_SECONDS = HOUR_MS / SECOND_MS;

/** Every signed or bearer request. */
export const REQUESTS: Limit = { name: 'requests', points: 60, seconds: MINUTE_SECONDS, per: 'muse' };

/** Signatures and tokens that were wrong: guessing is answered no more, before anything is looked up. */
export const FAILED_AUTHENTICATIONS: Limit = {
  name: 'failed_authentications',
  points: 30,
  seconds: HOUR_SECONDS,
  per: 'address',
};

/** What makes an identity for nothing. */
export const NEW_IDENTITIES: Limit = { name: 'new_identities', points: 10, seconds: HOUR_SECONDS, per: 'address' };

/** Requests of new identities that a loopback address has on a development machine. */
export const NEW_IDENTITIES_OF_LOOPBACK = 600;

/** Reads without a key, and what they hold: a point for each, and for every 100 events. Each process counts its own. */
export const READS: Limit = { name: 'reads', points: 600, seconds: MINUTE_SECONDS, per: 'address' };

/** The points of a read whose answer holds so many events of the log. */
export const readPoints = (events: number): number => 1 + Math.floor(events / 100);

/**
 * Look-ups of sibling identities that nobody here knows: those that find the one who has signed are given back, so what
 * counts is ids that are guessed.
 */
export const SIBLING_LOOKUPS: Limit = { name: 'sibling_lookups', points: 30, seconds: HOUR_SECONDS, per: 'address' };
/** The same of all addresses together, so that nobody makes this service a burden for the sibling network. */
export const SIBLING_LOOKUPS_IN_ALL: Limit = {
  name: 'sibling_lookups_in_all',
  points: 10,
  seconds: MINUTE_SECONDS,
  per: 'service',
};

/** Live tails of events, and pages of them that wait, at the same time; each process counts its own. */
export const EVENT_TAILS: Limit = { name: 'event_tails', points: 4, seconds: CONCURRENT, per: 'address' };
export const EVENT_WAITS: Limit = { name: 'event_waits', points: 32, seconds: CONCURRENT, per: 'address' };
/** Both together, of everybody: each of them looks at every event that comes. */
export const EVENT_PLACES: Limit = { name: 'event_places', points: 256, seconds: CONCURRENT, per: 'service' };
/** Requests that wait for one inbox, at the same time; each process counts its own. */
export const INBOX_WAITS: Limit = { name: 'inbox_waits', points: 4, seconds: CONCURRENT, per: 'muse' };

/** The limits that no endpoint has for itself. */
export const GENERAL_LIMITS: readonly Limit[] = [
  REQUESTS,
  FAILED_AUTHENTICATIONS,
  SIBLING_LOOKUPS,
  SIBLING_LOOKUPS_IN_ALL,
  READS,
  EVENT_TAILS,
  EVENT_WAITS,
  EVENT_PLACES,
  INBOX_WAITS,
];
