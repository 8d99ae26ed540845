import { findFormatFault, IssuerKeyAdded } from '#libs/domain/service.js';
import { Findings } from './findings.js';
import { isPublicEvent, type PublicEvent } from './public-event.js';
import type { EventSource } from './sources/source.js';

/** A log begins with its first key. A hostile service may send events without an end. */
const EXAMINED_MAX = 1_000;

/** Throws if the log has another format, or no issuer key among its first events. */
export async function requireLogFormat(source: EventSource): Promise<void> {
  const fault = findFormatFault(await findFirstKey(source));
  if (fault) throw new Error(`The event log of ${source.origin} ${fault} Use the version that wrote it.`);
}

async function findFirstKey(source: EventSource): Promise<PublicEvent | undefined> {
  let examined = 0;
  for await (const event of source.events(new Findings())) {
    if (isPublicEvent(event) && event.type === IssuerKeyAdded.type) return event;
    if ((examined += 1) === EXAMINED_MAX) break;
  }
  return undefined;
}
