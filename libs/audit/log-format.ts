import { findFormatFault, IssuerKeyAdded } from '#libs/domain/service.js';
import { isPublicEvent, type PublicEvent } from './public-event.js';
import type { EventSource } from './sources/source.js';

/** A log begins with its first key. A hostile service may send long events without an end. */
const EXAMINED_MAX = 100;

/** Ends the events with an error if the log has another format, or no issuer key among its first events. */
export function requireLogFormat<Source extends EventSource>(source: Source): Source {
  return { ...source, events: findings => checkFormat(source.origin, source.events(findings)) };
}

async function* checkFormat(origin: string, events: AsyncIterable<PublicEvent>): AsyncGenerator<PublicEvent> {
  let [isChecked, examined] = [false, 0];
  for await (const event of events) {
    const isKey = isPublicEvent(event) && event.type === IssuerKeyAdded.type;
    if (!isChecked && (isKey || (examined += 1) === EXAMINED_MAX)) {
      assertFormat(origin, isKey ? event : undefined);
      isChecked = true;
    }
    yield event;
  }
  if (!isChecked) assertFormat(origin, undefined);
}

function assertFormat(origin: string, firstKey: PublicEvent | undefined): void {
  const fault = findFormatFault(firstKey);
  if (fault) throw new Error(`The event log of ${origin} ${fault} Use the version that wrote it.`);
}
