import { sha256Hex } from '#libs/kernel/ids.js';
import { type DigestedEvent, eventText, feedEventText } from './event-text.js';

/** SHA-256, lower-case hex, of an event's text. */
export const eventDigest = (event: DigestedEvent): string => sha256Hex(eventText(event));

/** The digest of an event of the public feed: that of the stored event it shows. */
export const feedEventDigest = (event: DigestedEvent): string => sha256Hex(feedEventText(event));
