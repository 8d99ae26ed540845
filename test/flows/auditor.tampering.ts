import { MESSAGE_TAG } from '#libs/client/index.js';
import { Muse, TokenIssued } from '#libs/domain/muse.js';
import { Payment } from '#libs/domain/payment.js';
import { DeliveryRead, Hire, Hired } from '#libs/features/hires/domain/hire.js';
import { Application } from '#libs/features/jobs/domain/application.js';
import { Job, SeatFilled } from '#libs/features/jobs/domain/job.js';
import { computeCommitment } from '#libs/kernel/commitment.js';
import type { Authorization, Event } from '#libs/kernel/event.js';
import { sha256Hex } from '#libs/kernel/ids.js';
import { generateKey, sign } from '#libs/platform/signing/ed25519.js';
import { signedMessage } from '#libs/platform/signing/signed-message.js';
import type { LogCopy } from './auditor.copy.js';

const signedBy = ({ authorization }: Event) =>
  authorization as Extract<Authorization, { mode: 'signature'; sealed: object | null }>;

/** Describes a change to the log, the event to be named and the expected message. */
interface Tampering {
  readonly what: string;
  readonly tamper: (log: LogCopy, somebody: string, posterSeed: Uint8Array) => void | Promise<unknown>;
  readonly named: string;
  readonly told: RegExp;
}

/** Changes that the log alone reveals. */
export const FOUND_ALONE: Tampering[] = [
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
    what: 'another issuer key',
    tamper: log => log.rewrite('IssuerKeyAdded', ({ data }) => void (data['public_key'] = generateKey().publicKey)),
    named: 'IssuerKeyAdded',
    told: /is not its thumbprint/,
  },
];

/** Hires, deliveries and wages that no command could have produced. */
export const FORGED_WORK: Tampering[] = [
  {
    what: 'a hire without an application',
    tamper: async (log, somebody) => {
      const like = await log.event('SeatFilled');
      const data = like.data as Parameters<typeof SeatFilled>[0];
      const [hire, item] = [data.hire + 1, data.item + 1];
      const seat = { ...data, worker: somebody, hire, item };
      const filled = (
        await log.insert(Job.streamName(data.role), like, { cause: 'request/forged' }, SeatFilled(seat))
      )[0]!;
      await log.insert(Hire.streamName(hire), filled, { cause: filled.id }, Hired(seat));
    },
    named: 'SeatFilled',
    told: /The replayed decision does not write this event\./,
  },
  {
    what: 'a seat too many, signed by its poster',
    tamper: async (log, somebody, seed) => {
      const like = await log.event('SeatFilled');
      const data = like.data as Parameters<typeof SeatFilled>[0];
      const request = { endpoint: 'hire', fields: { role: data.role, to: somebody } };
      const stamp = { timestamp: String(like.at), nonce: 'a-nonce-of-a-second-hire' };
      const message = signedMessage({ tag: MESSAGE_TAG, museId: like.actor, ...request, ...stamp });
      const salt = sha256Hex('a salt');
      const sealed = { signature: sign(seed, message), fields: request.fields, salt };
      const { public_key } = signedBy(like);
      const commitment = computeCommitment(salt, message);
      const mode = 'signature' as const;
      const authorization = { mode, public_key, endpoint: 'hire', ...stamp, commitment, sealed };
      const based_on = { ...like.based_on, [Application.streamName(data.role, somebody)]: 0 };
      const seat = { ...data, worker: somebody, hire: data.hire + 1, item: data.item + 1 };
      await log.insert(like.stream, like, { authorization, based_on, cause: 'request/again' }, SeatFilled(seat));
    },
    named: 'SeatFilled',
    told: /The replayed decision hire is refused: All seats of this job are filled\./,
  },
  {
    what: 'a reading of a delivery that does not exist',
    tamper: async log => {
      const like = await log.event('DeliveryRead');
      const data = { ...(like.data as Parameters<typeof DeliveryRead>[0]), delivery: 2 };
      await log.insert(like.stream, like, { cause: 'request/forged' }, DeliveryRead(data));
    },
    named: 'DeliveryRead',
    told: /The replayed decision read-delivery is refused: There is no delivery 2\./,
  },
  {
    what: 'another amount in a wage',
    tamper: log => log.rewrite('Paid', ({ data }) => void (data['amount'] = '1')),
    named: 'Paid',
    told: /Its amount is "1"; the replayed decision says "10000000"\./,
  },
  {
    what: 'a wage whose payment was dropped',
    tamper: async log => {
      const { payment } = (await log.event('Paid')).data as { payment: string };
      log.dropStream(Payment.streamName(payment));
    },
    named: 'Paid',
    told: /Its payment \S+ was not settled before it\./,
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
