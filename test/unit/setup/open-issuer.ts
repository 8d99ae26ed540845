import { Issuer } from '#libs/issuer/issuer.js';
import { systemClock } from '#libs/kernel/clock.js';
import type { Stores } from '#libs/setup/stores.js';

/** Begins the log as a first start does. */
export const openIssuer = (stores: Stores) =>
  Issuer.open({ ...stores, clock: systemClock, address: { baseUrl: 'http://localhost' } }, null);
