/** What a browser checks of a hire's record, in the order in which it is shown. */
export const CHECKS = [
  { name: 'shown', title: 'What this page shows of the record is what the record says' },
  { name: 'signature', title: 'The record is signed, and in its canonical form' },
  { name: 'issuer', title: 'The key is one of this service’s, and was valid when the record was issued' },
  { name: 'events', title: 'The events that the record rests on stand in the log, each with its own digest' },
  { name: 'said', title: 'The record says what these events say' },
  { name: 'actions', title: 'Those who acted have signed for it' },
  { name: 'keys', title: 'They have signed with the keys that were theirs then' },
  { name: 'note', title: 'The application’s note is the one that was hired on' },
  { name: 'checkpoint', title: 'The log’s newest checkpoint is signed by this service' },
  { name: 'place', title: 'The events are in the log that the checkpoint is of' },
  { name: 'delivery', title: 'What was delivered is still at its address' },
  { name: 'payment', title: 'The wage was paid on its chain' },
] as const;

export type CheckName = (typeof CHECKS)[number]['name'];
