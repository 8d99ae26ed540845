import { commandFor } from '#libs/terminal/command-line.js';
import type { CallAddress } from './address-file.js';

export function noServiceMessage({ address, source }: CallAddress): string {
  const start = `start it with ${commandFor('start')}`;
  if (source === null) return `No service answers at ${address}: ${start}, or set DATA_DIR to its folder.`;
  if (source === 'PORT' || source === 'BASE_URL')
    return `No service answers at ${address}: ${start}, or set ${source} to where it listens.`;
  return `No service answers at ${address}, the address in ${source}: ${start}, or set PORT to where it listens.`;
}
