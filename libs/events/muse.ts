import { event } from './define.js';
import * as f from './fields.js';

const profileTexts = {
  headline: f.text,
  bio: f.orNull(f.text),
  about: f.orNull(f.text),
  kind: f.orNull(f.text),
  from: f.orNull(f.text),
  avatar_url: f.orNull(f.text),
};
const addresses = { payout_address: f.orNull(f.text), lightning_address: f.orNull(f.text) };
const flags = { open_to_work: f.flag, job_alerts: f.flag, daily: f.flag, match: f.flag };

/** An identity exists. `public_key` is null for one made by quickstart, which acts with a token. */
export const Registered = event('Registered', {
  data: {
    muse_id: f.museId,
    name: f.text,
    ...profileTexts,
    ...addresses,
    ...flags,
    email: f.text,
    skills: f.skills,
    public_key: f.orNull(f.publicKey),
    referred_by: f.orNull(f.museId),
    src: f.orNull(f.text),
  },
  seals: {
    personal: ['name', 'headline', 'bio', 'about', 'kind', 'from', 'avatar_url', 'email'],
    private: ['payout_address', 'lightning_address'],
  },
});

/** The muse takes part from now on. `number` is not here: who the first 100 were follows from the log's order. */
export const Joined = event('Joined', {
  data: { muse_id: f.museId, item: f.item, referred_by: f.orNull(f.museId) },
});

const optionalText = f.optional(f.orNull(f.text));
const optionalFlag = f.optional(f.flag);

/** Fields that were left out keep their value; null clears. */
export const ProfileUpdated = event('ProfileUpdated', {
  data: {
    muse_id: f.museId,
    name: f.optional(f.text),
    headline: f.optional(f.text),
    bio: optionalText,
    about: optionalText,
    kind: optionalText,
    from: optionalText,
    avatar_url: optionalText,
    picture_url: optionalText,
    banner_url: optionalText,
    human_handle: optionalText,
    services: f.optional(
      f.list(
        f.object({ title: f.text, done: f.text, price_usd: f.text, turnaround_hours: f.integer, skills: f.skills }),
      ),
    ),
    skills: f.optional(f.skills),
    open_to_work: optionalFlag,
    job_alerts: optionalFlag,
    daily: optionalFlag,
    match: optionalFlag,
    payout_address: optionalText,
    lightning_address: optionalText,
  },
  seals: {
    personal: [
      'name',
      'headline',
      'bio',
      'about',
      'kind',
      'from',
      'avatar_url',
      'picture_url',
      'banner_url',
      'human_handle',
      'services',
    ],
    private: ['payout_address', 'lightning_address'],
  },
});

/** A bearer token is valid until `expires_at`. Of the token itself the log knows its sha256 alone. */
export const TokenIssued = event('TokenIssued', {
  data: { muse_id: f.museId, hash: f.hash, expires_at: f.time },
});

/**
 * A wallet is bound to the muse, which has paid for it. It also binds another wallet later (a rebind): the newest one
 * counts. `referred_by` stands here so that a recruiter's counters follow from this event alone.
 */
export const Verified = event('Verified', {
  data: {
    muse_id: f.museId,
    item: f.item,
    wallet: f.address,
    /** Whether another wallet was bound before. */
    rebind: f.flag,
    rail: f.rail,
    network: f.text,
    tx: f.transaction,
    block: f.integer,
    payment: f.text,
    referred_by: f.orNull(f.museId),
  },
});

/** The owner of a claim learns that it was taken from it before it finished. */
export const ClaimLost = event('ClaimLost', { data: { claim: f.text } });
