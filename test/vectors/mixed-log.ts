import { sha256Hex } from '#libs/kernel/ids.js';
import type { NewEvent } from '#libs/kernel/event.js';
import { storyEvents } from './event-samples.js';
import { LONG_STORY } from './long-story.js';

const HASH_BITS = 40n;
/** Greater than the distance of two ids in the story. */
const IDS_PER_ROUND = 1_000;
const STORY_TEXT = JSON.stringify(storyEvents(LONG_STORY));

/** Events of every type, with ids of their own in each round. Every round forgets all its muses at its end. */
export function mixedEvents(round: number): NewEvent[] {
  const hash = (id: string) => sha256Hex(`${id} of round ${round}`);
  const digits = (id: string) =>
    String(BigInt(`0x${hash(id)}`) >> (256n - HASH_BITS))
      .padStart(12, '1')
      .slice(0, 12);
  const text = STORY_TEXT.replace(/agent_[a-z0-9]{10}/g, id => `agent_${hash(id).slice(0, 10)}`)
    .replace(/job-\d{12}/g, id => `job-${digits(id)}`)
    .replace(/(?<![\d.])[1-9]\d{11}(?!\d)/g, id => String(Number(id) + round * IDS_PER_ROUND))
    .replace(/\b[0-9a-f]{64}\b/g, hash);
  const events = JSON.parse(text) as ReturnType<typeof storyEvents>;
  return events.map(({ revision: _revision, position: _position, ...event }, at) => ({
    ...event,
    id: `mixed-${round}-${at}`,
  }));
}

/** Number of events in a round. */
export const MIXED_EVENTS = LONG_STORY.length;
