import { commandFor } from '#libs/terminal/command-line.js';
import type { CallAddress } from './address-file.js';

/** Where nothing listens at an address: what says that something does, and what to do. */
export function noServiceMessage({ address, source: saidBy }: CallAddress): string {
  const start = `start it with ${commandFor('start')}`;
  if (saidBy === null) return `No service answers at ${address}: ${start}, or set DATA_DIR to its folder.`;
  if (saidBy === 'PORT' || saidBy === 'BASE_URL')
    return `No service answers at ${address}: ${start}, or set ${saidBy}, which says so, to where it listens.`;
  return `No service answers at ${address}, where ${saidBy} says that it listens: ${start}, or set PORT to where it does.`;
}
