import * as w from '#libs/views/shapes/answer-schema.js';

/** A settled payment. */
export const Payment = w.shape('Payment', {
  tx: w.transaction,
  network: w.chainName,
  payer: w.wallet,
  amount: w.amount,
});

/** What the answer of a paid endpoint has besides its own members. */
export const PAID = {
  paid: w.flag(true, 'Whether a payment was taken'),
  payment: w.optional(w.orNull(Payment)),
  void: w.rarelyPresent(w.text('role_closed', 'The payment settled, and what it was for was gone by then: a code')),
};
