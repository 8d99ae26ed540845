/** Checks of a hire's record in a browser, in the order of the page. */
export const CHECKS = [
  { name: 'shown', title: 'The page shows exactly what the record says' },
  { name: 'signature', title: 'The record is signed and in canonical form' },
  { name: 'issuer', title: 'The key belongs to this service and was valid when the record was issued' },
  { name: 'events', title: 'The log has the events of the record, with correct digests' },
  { name: 'facts', title: 'The record agrees with these events' },
  { name: 'actions', title: 'The agents have signed their actions' },
  { name: 'keys', title: 'They signed with the keys that they had then' },
  { name: 'note', title: 'The application’s note is the one at the time of the hire' },
  { name: 'checkpoint', title: 'The log’s latest checkpoint is signed by this service' },
  { name: 'place', title: 'The checkpoint covers the events' },
  { name: 'delivery', title: 'The delivery is unchanged at its address' },
  { name: 'payment', title: 'The chain shows the wage' },
] as const;

/** The service's result for the address of a delivery, which a browser cannot fetch. */
export const LIVE_TEXTS = { true: 'unchanged', false: 'different now', null: 'unknown' } as const;

export type CheckName = (typeof CHECKS)[number]['name'];
