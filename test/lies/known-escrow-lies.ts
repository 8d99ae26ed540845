/** Lies that only an auditor with the chain finds. */
export const ONLY_ON_CHAIN: readonly string[] = [
  'EscrowDecided is the last event',
  'EscrowFunded is the last event',
  'EscrowReturned has another block',
  'EscrowReturned has another tx',
  'EscrowReturned has the reason “not_delivered”',
  'EscrowSubmitted is the last event',
  'PaymentAccepted is the last event',
  'PaymentSubmitted is the last event',
  'SeatReserved is the last event',
];

const NOTHING_FOLLOWS = 'Nothing has to follow it.';
const SEALED = 'The signed transaction is sealed, and a replaced one is on no chain.';
const PUT_BACK = 'A log that was put back from a copy lacks it too, and the chain shows what it did.';
const SAME_AGAIN = 'A transaction that a node refused is signed again, and may be the same.';
const REFUSAL = 'Only the contract knows whether it would have refused the return at that time.';
const VAULT = 'It is derived with a key of the vault, so any value passes.';
const BLOCK = 'Any block of that time may have been the newest or the final one.';

/** Lies that no auditor finds, and why. The list may only become shorter. */
export const KNOWN: { readonly [lie: string]: string } = {
  'EscrowClosed is the last event': NOTHING_FOLLOWS,
  'EscrowStuck is missing': REFUSAL,
  'EscrowStuck is the last event': 'Nothing else happened before the poster took its money back, days later.',
  'EscrowStuck is written much later': REFUSAL,
  'EscrowSubmitted has another fee': SEALED,
  'EscrowSubmitted has another relayer_nonce': SEALED,
  'EscrowSubmitted has another tx': SEALED,
  'EscrowSubmitted is missing': PUT_BACK,
  'EscrowSubmitted is written much later': PUT_BACK,
  'EscrowSubmitted is written twice': SAME_AGAIN,
  'Paid has another item': VAULT,
  'Paid is the last event': NOTHING_FOLLOWS,
  'PaymentAccepted has another block': BLOCK,
  'PaymentAccepted has another things': VAULT,
  'PaymentLost has another block': BLOCK,
  'PaymentLost is the last event': 'A service without the key of the account cannot notice it.',
  'PaymentSubmitted has another fee': SEALED,
  'PaymentSubmitted has another relayer_nonce': SEALED,
  'PaymentSubmitted has another tx': SEALED,
  'PaymentSubmitted is missing': PUT_BACK,
  'PaymentSubmitted is written much later': PUT_BACK,
  'PaymentSubmitted is written twice': SAME_AGAIN,
};
