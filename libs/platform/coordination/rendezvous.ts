import { sha256Hex } from '#libs/kernel/ids.js';

/** Rendezvous hashing: the member with the highest weight gets the item. A new member moves no item between others. */
export const rendezvousWeight = (member: string, item: string): string => sha256Hex(`${member}/${item}`);
