import { sha256Hex } from '#libs/kernel/ids.js';

/**
 * How much somebody weighs for a thing (rendezvous hashing): whoever weighs most of all that are there has it. One that
 * comes or goes moves nothing between two others.
 */
export const rendezvousWeight = (name: string, thing: string): string => sha256Hex(`${name}/${thing}`);
