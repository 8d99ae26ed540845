import { sha256Hex } from '#libs/kernel/ids.js';
import { type DigestedEvent, eventText, feedEventText } from './event-text.js';

/** SHA-256, lower-case hex. */
export const eventDigest = (event: DigestedEvent): string => sha256Hex(eventText(event));

export const feedEventDigest = (event: DigestedEvent): string => sha256Hex(feedEventText(event));
