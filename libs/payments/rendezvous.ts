import { sha256Hex } from '#libs/kernel/ids.js';

/**
 * How much somebody weighs for a payment (rendezvous hashing): whoever weighs most of all that are there has it. One
 * that comes or goes moves no payment between two others.
 */
export const weightOf = (name: string, payment: string): string => sha256Hex(`${name}/${payment}`);
