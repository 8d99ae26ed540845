import { Accepted } from '#libs/features/hires/domain/hire.js';
import { Job, JobClosed } from '#libs/features/jobs/domain/job.js';
import { Muse, ProfileUpdated, TokenIssued } from '#libs/domain/muse.js';
import type { Authorization, Event } from '#libs/kernel/event.js';
import { sha256Hex } from '#libs/kernel/ids.js';
import { generateKey, sign } from '#libs/platform/signing/ed25519.js';
import type { LogCopy } from './auditor.copy.js';

export const signedBy = ({ authorization }: Event) =>
  authorization as Extract<Authorization, { mode: 'signature'; sealed: object | null }>;

/** Describes a change to the log, the event to be named and the expected message. */
export interface Tampering {
  readonly what: string;
  readonly tamper: (log: LogCopy, somebody: string, posterSeed: Uint8Array) => void | Promise<unknown>;
  readonly named: string;
  readonly told: RegExp;
}

/** Changes that the log alone reveals. */
export const FOUND_ALONE: Tampering[] = [
  {
    what: 'another byte of data',
    tamper: log => log.rewrite('Accepted', ({ data }) => void (data['positive'] = false)),
    named: 'Accepted',
    told: /Its positive is false; the replayed decision says true\./,
  },
  {
    what: 'another byte in an authorization',
    tamper: log =>
      log.rewrite('Applied', ({ authorization }) => {
        authorization['nonce'] = `${authorization['nonce'] as string}`.replace(/.$/, last =>
          last === 'A' ? 'B' : 'A',
        );
      }),
    named: 'Applied',
    told: /not the signed request: the commitment differs/,
  },
  {
    what: 'another byte in a sealed value',
    tamper: log =>
      log.rewrite('Applied', ({ data }) => {
        const { sealed } = data['note'] as { sealed: string };
        data['note'] = { sealed: sealed.replace(/^./, first => (first === 'A' ? 'B' : 'A')) };
      }),
    named: 'Applied',
    told: /Its sealed values cannot be opened/,
  },
  {
    what: 'another time of a signed event',
    tamper: log => log.rewrite('Accepted', body => void (body.at += 3_600_000)),
    named: 'Accepted',
    told: /It was signed at \d+, more than 6 minutes from its own time\./,
  },
  {
    what: 'another actor',
    tamper: (log, somebody) => log.rewrite('Accepted', body => void (body.actor = somebody)),
    named: 'Accepted',
    told: /Its by is "agent_|cannot be opened|commitment differs|Only the poster/,
  },
  {
    what: 'an event dropped from the middle',
    tamper: log => log.drop('DeliveryRead'),
    named: 'Rechecked',
    told: /It is at revision 3 of its stream, but revision 2 is missing\./,
  },
  {
    what: 'a dropped stream',
    tamper: log => log.dropStream(`application-%:%`),
    named: 'SeatFilled',
    told: /The replayed decision hire is refused: `to` must name an agent with an open application for this job\./,
  },
  {
    what: 'two swapped events',
    tamper: log => log.swap('Delivered', 'Rechecked'),
    named: 'Rechecked',
    told: /The replayed decision recheck is refused: This hire has no delivery yet\./,
  },
  {
    what: 'a nonce used for a second event',
    tamper: async log => {
      const before = await log.event('Accepted');
      const data = { ...(before.data as Parameters<typeof Accepted>[0]), was_positive: true };
      await log.insert(before.stream, before, { cause: 'request/again' }, Accepted(data));
    },
    named: 'Accepted',
    told: /The request with the nonce \S+ had already written an event of this type in this stream\./,
  },
  {
    what: 'a forged signature',
    tamper: async (log, somebody) => {
      const like = await log.event('ProfileUpdated');
      const { sealed, ...names } = signedBy(like);
      const signature = sign(generateKey().seed, 'a message');
      const authorization = { ...names, nonce: 'a-nonce-of-nobody-at-all', sealed: { ...sealed!, signature } };
      const fact = ProfileUpdated({ muse_id: somebody, bio: 'Reads nothing.' });
      await log.insert(Muse.streamName(somebody), like, { authorization, cause: 'request/forged' }, fact);
    },
    named: 'ProfileUpdated',
    told: /commitment differs|does not verify with the key/,
  },
  {
    what: 'a signed request with other fields',
    tamper: async log => {
      const like = await log.event('Accepted');
      const { role, poster } = like.data as { role: string; poster: string };
      const fact = JobClosed({ role, poster, closed_reason: 'closed', note: null });
      await log.insert(Job.streamName(role), like, {}, fact);
    },
    named: 'JobClosed',
    told: /It names the decision accept@1, which cannot write \w+\./,
  },
  {
    what: 'a decision on a future revision',
    tamper: log =>
      log.rewrite('Accepted', ({ based_on }) => {
        for (const stream of Object.keys(based_on)) based_on[stream] = 1_000;
      }),
    named: 'Accepted',
    told: /It is based on revision 1000 of muse-\S+, but that stream ended at revision \d+\./,
  },
  {
    what: 'a token without a request',
    tamper: async (log, somebody) => {
      const like = await log.event('TokenIssued');
      const fact = TokenIssued({ muse_id: somebody, hash: sha256Hex('a token'), expires_at: like.at * 2 });
      const forged = { actor: somebody, cause: 'request/forged', based_on: {} };
      await log.insert(Muse.streamName(somebody), like, forged, fact);
    },
    named: 'TokenIssued',
    told: /The event lacks a value that its decision needs\./,
  },
  {
    what: 'a bearer token of another muse',
    tamper: log => log.rewrite('JobPosted', ({ authorization }) => void (authorization['token'] = '0123456789abcdef')),
    named: 'JobPosted',
    told: /could not act at revision \d+ of muse-agent_\w+: The bearer token is unknown, expired or revoked\./,
  },
  {
    what: 'another issuer key',
    tamper: log => log.rewrite('IssuerKeyAdded', ({ data }) => void (data['public_key'] = generateKey().publicKey)),
    named: 'IssuerKeyAdded',
    told: /is not its thumbprint/,
  },
];

/** Changes that only a saved checkpoint or export reveals. */
export const FOUND_BY_WHAT_WAS_KEPT: Tampering[] = [
  {
    what: 'another byte in a reading by the service',
    tamper: log => log.rewrite('DeliveryRead', ({ data }) => void (data['bytes'] = 8)),
    named: 'DeliveryRead',
    told: /It differs from the kept export: data\.bytes was 7 and is 8\./,
  },
  {
    what: 'another time of a reading by the service',
    tamper: log => log.rewrite('DeliveryRead', body => void (body.at += 1)),
    named: 'DeliveryRead',
    told: /It differs from the kept export: at was \d+ and is \d+\./,
  },
  {
    what: 'a truncated tail',
    tamper: log => log.cut(1),
    named: 'JobPosted',
    told: /The kept export continues with this event, but the log ends before it\./,
  },
  {
    what: 'a dropped stream of claims',
    tamper: log => log.dropStream('claim-name-%'),
    named: 'Claimed',
    told: /The kept export has this event here; the log has /,
  },
];
