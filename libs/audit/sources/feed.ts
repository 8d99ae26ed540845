import { SECOND_MS } from '#libs/kernel/clock.js';
import { START } from '#libs/kernel/event.js';
import type { PublicEvent } from '../public-event.js';
import { linesOf } from './lines.js';
import { type EventSource, originOf } from './source.js';

/** How often a broken feed is continued without having answered an event in between. */
const RESUMES_MAX = 5;
const RESUME_WAIT_MS = SECOND_MS;

/**
 * The public event feed of a running service, as lines: everything up to the head as it is at the beginning. A
 * connection that breaks is resumed behind the last event.
 */
export function fromFeed(address: string): EventSource {
  return { origin: originOf(address), events: () => follow(address.replace(/\/+$/, '')) };
}

async function* follow(address: string): AsyncGenerator<PublicEvent> {
  let after: string = START;
  for (let failures = 0; ; failures += 1) {
    try {
      for await (const line of answer(address, after)) {
        const event = JSON.parse(line) as PublicEvent & { readonly head?: string };
        if (event.head !== undefined) return;
        yield event;
        after = event.position;
        failures = 0;
      }
      throw new Error('The feed ended before its head.');
    } catch (error) {
      if (failures >= RESUMES_MAX || error instanceof Refused) throw failed(address, error);
      await new Promise(resolve => setTimeout(resolve, RESUME_WAIT_MS));
    }
  }
}

/** The service has answered something else than events, so that asking again is of no use. */
class Refused extends Error {}

async function* answer(address: string, after: string): AsyncGenerator<string> {
  const url = `${address}/api/events?after=${after}`;
  const response = await fetch(url, { headers: { accept: 'application/x-ndjson' } });
  if (!response.ok || !response.body) throw new Refused(`It answers ${response.status}.`);
  yield* linesOf(response.body);
}

const failed = (address: string, cause: unknown) =>
  new Error(`The events of ${address} cannot be read: ${(cause as Error).message}`, { cause });
