import { covered, type Row } from './row.js';

const flow = (name: string) => `flows/siblings.spec.ts > ${name}`;
const cache = (name: string) => `flows/siblings.imports.spec.ts > ${name}`;
const file = (name: string) => `flows/siblings-file.spec.ts > ${name}`;
const rule = (section: string, item: string, test: string) => covered(section, 'rule', 10, test, item);

/** Identities of a sibling network. */
export const SIBLINGS: readonly Row[] = [
  ...rule(
    'i2.4',
    'a muse_ identity is looked up at its first signed request',
    flow('signs with the key and has the name from its network'),
  ),
  ...rule(
    'i2.4',
    'a file instead of an address',
    file('an identity in the file belongs to the sibling network, even if added later'),
  ),
  ...rule('i2.4', 'a known one is cached', flow('works until the cache expires after ten minutes')),
  ...rule('i2.4', 'an unknown one is cached', cache('is not asked for again for fifteen minutes')),
  ...rule('i2.4', 'down, and nothing is cached', cache('an unknown identity gets a 502 and may retry')),
  ...rule(
    'i2.4',
    'down, and something is cached',
    cache('a known identity keeps working from the cache, and the network gets a pause'),
  ),
  ...rule(
    'i2.4',
    'a changed key ends tokens and verification',
    flow('ends every token and the verification, and notifies the inbox'),
  ),
  ...rule('i2.4', 'its key is the sibling’s', flow('cannot be bound here')),
  ...rule(
    'i2.4',
    'whoami, join and inbox before joining',
    flow('can only identify itself, join and read its inbox before it joins'),
  ),
  ...rule(
    'i4',
    'a sibling identity keeps its name',
    'flows/siblings.imports.spec.ts > comes from its network, even if a local muse has it',
  ),
  ...covered('i10', 'limit', 10, file('are looked up thirty times an hour per address'), 'sibling_lookups'),
  ...covered(
    'i10',
    'limit',
    10,
    file('are looked up ten times a minute from all addresses together'),
    'sibling_lookups_in_all',
  ),
];
