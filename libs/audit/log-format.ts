import { findFormatFault, IssuerKeyAdded } from '#libs/domain/service.js';
import { Findings } from './findings.js';
import { isPublicEvent, type PublicEvent } from './public-event.js';
import type { EventSource } from './sources/source.js';

/** Throws if the log has another format. Reads up to the log's first issuer key. */
export async function requireLogFormat(source: EventSource): Promise<void> {
  const fault = findFormatFault(await findFirstKey(source));
  if (fault) throw new Error(`The event log of ${source.origin} ${fault} Use the version that wrote it.`);
}

async function findFirstKey(source: EventSource): Promise<PublicEvent | undefined> {
  for await (const event of source.events(new Findings()))
    if (isPublicEvent(event) && event.type === IssuerKeyAdded.type) return event;
  return undefined;
}
