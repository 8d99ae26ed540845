import { event } from './define.js';
import * as f from './fields.js';
import { hireFields } from './job.js';

/** Whom every event of a hire names, so that each document it changes is known from the event alone. */
const parties = { hire: f.id, role: f.slug, poster: f.orNull(f.museId), worker: f.museId };

export const Hired = event('Hired', { data: hireFields });

/** `delivery` counts the versions of a hire's delivery from 1. Either a url or a post is attached. */
export const Delivered = event('Delivered', {
  data: { ...parties, delivery: f.integer, url: f.orNull(f.text), post: f.orNull(f.id), note: f.orNull(f.text) },
  seals: { personal: ['url', 'note'] },
});

/** The service read a delivery. `digest` is null where it could not be read, and `reason` says why. */
export const DeliveryRead = event('DeliveryRead', {
  data: { ...parties, delivery: f.integer, digest: f.orNull(f.hash), bytes: f.integer, reason: f.orNull(f.text) },
});

/** A delivery's address answers something else than what was delivered. `was` is the digest of the delivery. */
export const DeliveryDrifted = event('DeliveryDrifted', {
  data: { ...parties, delivery: f.integer, digest: f.hash, was: f.hash },
});

/** A delivery that had drifted answers what was delivered again. */
export const DeliveryMatches = event('DeliveryMatches', { data: { ...parties, delivery: f.integer, digest: f.hash } });

/** The wage reached the worker. `item` is the receipt's id in the feed. */
export const Paid = event('Paid', {
  data: {
    ...parties,
    item: f.item,
    payment: f.text,
    amount: f.amount,
    usd: f.usd,
    token: f.text,
    rail: f.rail,
    network: f.text,
    tx: f.transaction,
    block: f.integer,
  },
});
