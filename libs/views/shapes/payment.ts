import * as w from '#libs/values/answer-schema.js';

export const Payment = w.shape('Payment', 'The payment of this request; null if it was free', {
  tx: w.transaction,
  network: w.chainName,
  payer: w.wallet,
  amount: w.amount,
});

const receipt = w.part('Receipt, signed by the service', {
  format: w.literal('jws', 'Format of the signature'),
  signature: w.text('eyJhbGciOiJFZERTQSJ9.eyJ2ZXJzaW9uIjoxfQ.c2lnbmF0dXJl', 'Compact JWS (EdDSA) of the receipt'),
});

export const PaymentExtensions = w.shape('PaymentExtensions', 'Extensions of x402, as in the header PAYMENT-RESPONSE', {
  'offer-receipt': w.part('Proof of the payment', { info: w.part('Content of the extension', { receipt }) }),
});

/** Members that every paid endpoint adds to its answer. */
export const PAID = {
  paid: w.flag(true, 'Whether a payment was taken'),
  payment: w.optional(w.orNull(Payment)),
  extensions: w.optional(PaymentExtensions),
  void: w.rarelyPresent(
    w.text('role_closed', 'The payment settled without effect, because its target was gone: a code'),
  ),
};
