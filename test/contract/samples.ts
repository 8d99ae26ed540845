import type { SealedNewEvent } from '#libs/kernel/event.js';

const ID_BYTES = 16;

/** Encodes a name of at most 16 bytes in a UUID. */
export function idOf(name: string): string {
  const hex = Buffer.from(name.padEnd(ID_BYTES, '\0')).toString('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** Decodes the name from the id of an event. */
export const nameOf = ({ id }: { readonly id: string }) =>
  Buffer.from(id.replaceAll('-', ''), 'hex').toString().replaceAll('\0', '');

/** Creates a new event whose id encodes a name. */
export function event(stream: string, name: string, more: Partial<SealedNewEvent> = {}): SealedNewEvent {
  return {
    id: idOf(name),
    stream,
    type: 'Posted',
    version: 1,
    at: 1_700_000_000_000,
    actor: 'muse_1',
    cause: 'request-1',
    decided_by: 'test@1',
    based_on: { 'muse-muse_1': 3 },
    authorization: { mode: 'service', reason: 'test' },
    data: { title: 'A page' },
    ...more,
  };
}

export function events(stream: string, ...names: string[]): SealedNewEvent[] {
  return names.map(name => event(stream, name));
}
