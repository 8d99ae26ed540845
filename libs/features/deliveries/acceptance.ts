import { Accepted, type Hire, partiesOf } from '#libs/features/hires/domain/hire.js';
import { decideEscrow, isEscrowOpen } from '#libs/features/hires/domain/escrow.js';
import { proofAfter } from '#libs/features/hires/domain/proof.js';
import { fieldRule } from '#libs/kernel/refusal.js';
import * as rules from '#libs/features/hires/public.js';

interface Review {
  readonly note?: string | undefined;
  readonly positive?: boolean | undefined;
  readonly digest?: string | undefined;
}

/** Releases the wage of an open escrow. `identities` are those of the caller. */
export function acceptDelivery(hire: Hire, { note, positive, digest }: Review, identities: readonly string[]) {
  rules.assertHireExists(hire);
  const by = rules.actAsPoster(hire, identities);
  rules.assertDelivered(hire);
  rules.assertSameDelivery(hire, digest);
  const isRefused = positive === false && isEscrowOpen(hire);
  const sentence = 'Accepting releases the wage. Dispute the delivery, or accept it and change `positive` afterwards.';
  fieldRule(!isRefused, 'positive', sentence, 'not_allowed');
  const was_positive = hire.acceptance?.positive ?? null;
  const verdict = positive ?? was_positive ?? true;
  const proof = proofAfter(hire, { isPositive: verdict });
  const accepted = Accepted({ ...partiesOf(hire), by, note: note ?? null, positive: verdict, was_positive, ...proof });
  return [accepted, ...decideEscrow(hire, 'worker', 'accepted')];
}
