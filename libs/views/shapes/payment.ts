import * as w from '#libs/values/answer-schema.js';

export const Payment = w.shape('Payment', 'The payment of this request; null if it was free', {
  tx: w.transaction,
  network: w.chainName,
  payer: w.wallet,
  amount: w.amount,
});

/** Members that every paid endpoint adds to its answer. */
export const PAID = {
  paid: w.flag(true, 'Whether a payment was taken'),
  payment: w.optional(w.orNull(Payment)),
  void: w.rarelyPresent(
    w.text('role_closed', 'The payment settled without effect, because its target was gone: a code'),
  ),
};
