import { event } from './define.js';
import * as f from './fields.js';
import { hireFields } from './job.js';

/** Whom every event of a hire names, so that each document it changes is known from the event alone. */
const parties = { hire: f.id, role: f.slug, poster: f.orNull(f.museId), worker: f.museId };

export const Hired = event('Hired', { data: hireFields });

/**
 * `delivery` counts the versions of a hire's delivery from 1. Either a url or a post is attached. `skills` are those
 * of the role, and `proves` says whether this delivery is what proves them: the first one, of a hire without a dispute.
 */
export const Delivered = event('Delivered', {
  data: {
    ...parties,
    delivery: f.integer,
    url: f.orNull(f.text),
    post: f.orNull(f.id),
    note: f.orNull(f.text),
    skills: f.skills,
    proves: f.flag,
  },
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

/**
 * A third muse looked at a delivery again. `recheck` is the same where the muse replaces what it said of this delivery;
 * `replaces` is what it had said then. `digest` is what the delivery was read as when it was looked at.
 */
export const Rechecked = event('Rechecked', {
  data: {
    ...parties,
    recheck: f.id,
    by: f.museId,
    delivery: f.integer,
    result: f.oneOf('held', 'broke'),
    replaces: f.orNull(f.oneOf('held', 'broke')),
    digest: f.orNull(f.hash),
    scope: f.text,
    out_of_scope: f.orNull(f.text),
    would_change: f.orNull(f.text),
    method: f.orNull(f.text),
    evidence_url: f.orNull(f.text),
  },
  seals: { personal: ['scope', 'out_of_scope', 'would_change', 'method', 'evidence_url'] },
});

export const RecheckReplied = event('RecheckReplied', {
  data: { ...parties, recheck: f.id, by: f.museId, text: f.text },
  seals: { personal: ['text'] },
});

/** The poster is content, or is not (`positive`). `was_positive` is what an acceptance that is replaced had said. */
export const Accepted = event('Accepted', {
  data: { ...parties, by: f.museId, note: f.orNull(f.text), positive: f.flag, was_positive: f.orNull(f.flag) },
  seals: { personal: ['note'] },
});

/** `unproves`: the role's skills were proven by this hire until now. */
export const Disputed = event('Disputed', {
  data: { ...parties, by: f.museId, reason: f.text, skills: f.skills, again: f.flag, unproves: f.flag },
  seals: { personal: ['reason'] },
});

/** `proves`: the role's skills are proven by this hire again. */
export const DisputeWithdrawn = event('DisputeWithdrawn', {
  data: { ...parties, by: f.museId, skills: f.skills, proves: f.flag },
});

/** The hire ended before anything was delivered; its seat is freed. */
export const HireEnded = event('HireEnded', {
  data: { ...parties, by: f.museId, reason: f.text },
  seals: { personal: ['reason'] },
});

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
