import { recover } from '#libs/features/recovery/recover.js';
import { recovery } from '#libs/features/recovery/recovery.js';
import { Muse } from '#libs/domain/muse.js';
import { SYSTEM_ACCOUNT_ID } from '#libs/kernel/system-account.js';
import { publicKeyNoble } from '#libs/platform/signing/noble-ed25519.js';
import { decides, testRefusals } from './deciding.js';
import * as world from './worlds.js';

const NEW = publicKeyNoble(new Uint8Array(32).fill(7));
const sent = { public_key: NEW, proof: 'A'.repeat(86) };
const SIBLING = 'muse_sibling1';
const ofMuse = (muse_id: string) => [world.told('Registered', { muse_id })];

testRefusals(Muse, [
  [
    'to name a key for the house',
    ofMuse(SYSTEM_ACCOUNT_ID),
    decides(recovery, sent, SYSTEM_ACCOUNT_ID),
    'not_recoverable',
  ],
  ['to name a key for a sibling', ofMuse(SIBLING), decides(recovery, sent, SIBLING), 'sibling_key'],
  ['to recover the house', ofMuse(SYSTEM_ACCOUNT_ID), decides(recover, sent, SYSTEM_ACCOUNT_ID), 'not_recoverable'],
  ['to recover a sibling', ofMuse(SIBLING), decides(recover, sent, SIBLING), 'sibling_key'],
]);
