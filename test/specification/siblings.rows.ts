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
    flow('signs with the key that its network knows, and is called as there'),
  ),
  ...rule(
    'i2.4',
    'a file instead of an address',
    file('an identity of the file is one of the sibling network, also where it was added later'),
  ),
  ...rule('i2.4', 'a known one is cached', flow('counts ten minutes after the last look at the latest')),
  ...rule('i2.4', 'an unknown one is cached', cache('is unknown, and is not asked for again for fifteen minutes')),
  ...rule('i2.4', 'down, and nothing is cached', cache('one that is not known gets a 502, and may come again')),
  ...rule(
    'i2.4',
    'down, and something is cached',
    cache('one that is known goes on, as cached, and the network is left alone for a moment'),
  ),
  ...rule(
    'i2.4',
    'a changed key ends tokens and verification',
    flow('ends every token and the verification, and says so in the inbox'),
  ),
  ...rule('i2.4', 'its key is the sibling’s', flow('is bound by nobody here')),
  ...rule(
    'i2.4',
    'whoami, join and inbox before joining',
    flow('can ask who it is, join and read its inbox before it has joined, and nothing else'),
  ),
  ...rule(
    'i4',
    'a sibling identity keeps its name',
    'flows/siblings.imports.spec.ts > is the one that its network gives it, also where somebody has it here',
  ),
  ...covered('i10', 'limit', 10, file('are looked up thirty times an hour for one address'), 'sibling_lookups'),
  ...covered(
    'i10',
    'limit',
    10,
    file('are looked up ten times a minute, from whatever address'),
    'sibling_lookups_in_all',
  ),
];
