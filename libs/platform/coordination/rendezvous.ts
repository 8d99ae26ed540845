import { sha256Hex } from '#libs/kernel/ids.js';

/** Rendezvous hashing: the member with the highest weight gets the thing. A new member moves nothing between others. */
export const rendezvousWeight = (name: string, thing: string): string => sha256Hex(`${name}/${thing}`);
