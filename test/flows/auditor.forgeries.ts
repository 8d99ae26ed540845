import { MESSAGE_TAG } from '#libs/client/index.js';
import { computeCommitment } from '#libs/kernel/commitment.js';
import { sha256Hex } from '#libs/kernel/ids.js';
import { sign } from '#libs/platform/signing/ed25519.js';
import { signedMessage } from '#libs/platform/signing/signed-message.js';
import { Application } from '#libs/features/jobs/domain/application.js';
import { DeliveryRead, Hire, Hired } from '#libs/features/hires/domain/hire.js';
import { Job, SeatFilled } from '#libs/features/jobs/domain/job.js';
import { Payment } from '#libs/domain/payment.js';
import { signedBy, type Tampering } from './auditor.tampering.js';

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
    what: 'another actor for an event of the service',
    tamper: (log, somebody) => log.rewrite('DeliveryRead', body => void (body.actor = somebody)),
    named: 'DeliveryRead',
    told: /The replayed decision read-delivery is refused: Its actor is agent_\w+; only service may do this\./,
  },
  {
    what: 'another note in a hire',
    tamper: log => {
      for (const type of ['SeatFilled', 'Hired'])
        log.rewrite(type, ({ data }) => void (data['note_commitment'] = sha256Hex('I am cheap.')));
    },
    named: 'SeatFilled',
    told: /Its note_commitment is/,
  },
  {
    what: 'another commitment to a note',
    tamper: log => log.rewrite('Applied', ({ data }) => void (data['note_commitment'] = sha256Hex('I am cheap.'))),
    named: 'Applied',
    told: /Its note does not match its commitment\./,
  },
  {
    what: 'another amount in a wage',
    tamper: log => log.rewrite('Paid', ({ data }) => void (data['amount'] = '1')),
    named: 'Paid',
    told: /Its amount is "1"; the replayed decision says "10000000"\./,
  },
  {
    what: 'another paid delivery in a wage',
    tamper: log => log.rewrite('Paid', ({ data }) => void (data['digest'] = sha256Hex('another page'))),
    named: 'Paid',
    told: /Its digest is "\w+"; the replayed decision says "\w+"\./,
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
  {
    what: 'a wage that moved less than the budget',
    tamper: log => log.rewrite('PaymentAccepted', ({ data }) => void (data['amount'] = '1')),
    named: 'Paid',
    told: /Its amount is 10000000; its payment has 1\./,
  },
  {
    what: 'the delivery that a wage was offered for',
    tamper: log => log.rewrite('WageStarted', ({ data }) => void (data['delivery'] = 2)),
    named: 'WageStarted',
    told: /Its delivery is 2; the replayed decision says 1\./,
  },
  {
    what: 'a settlement in another transaction',
    tamper: log => log.rewrite('PaymentSettled', ({ data }) => void (data['tx'] = `0x${'e'.repeat(64)}`)),
    named: 'Paid',
    told: /Its tx is 0x\w+; its payment has 0xe/,
  },
];
