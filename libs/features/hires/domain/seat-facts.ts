import type { Seat } from '#libs/features/jobs/domain/job.js';
import type { Fact } from '#libs/kernel/event.js';
import { EscrowFunded, Hired, partiesOf } from './hire.js';

/** `Hired`, and for an escrow its funding. */
export function factsOfSeat({ payment, funded, ...hired }: Seat['data'], payment_info = ''): Fact[] {
  const opened = Hired(hired);
  const { escrow: terms, wage } = hired;
  if (payment === undefined || !funded || !terms || wage === null) return [opened];
  const { amount, usd } = wage;
  return [opened, EscrowFunded({ ...partiesOf(hired), payment, ...funded, amount, usd, terms, payment_info })];
}
