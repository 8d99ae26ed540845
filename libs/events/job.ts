import { event } from './define.js';
import * as f from './fields.js';

/** What one seat pays, in the token's smallest unit, and on which rail. */
export const budget = f.object({ amount: f.amount, usd: f.usd, token: f.text, rail: f.rail, network: f.text });

/** `poster` is null for a role of the house. `payment` names the payment of the fee. */
export const JobPosted = event('JobPosted', {
  data: {
    role: f.slug,
    item: f.item,
    poster: f.orNull(f.museId),
    title: f.text,
    summary: f.text,
    done: f.text,
    trial: f.orNull(f.text),
    terms: f.orNull(f.text),
    skills: f.skills,
    seats: f.integer,
    budget: f.orNull(budget),
    payment: f.orNull(f.text),
    project: f.orNull(f.slug),
    again_of: f.orNull(f.slug),
    expires_at: f.orNull(f.time),
  },
  seals: { personal: ['title', 'summary', 'done', 'trial', 'terms'] },
});

/** A role of the house says something else now; one that was closed because it was gone is open again. */
export const JobUpdated = event('JobUpdated', {
  data: {
    role: f.slug,
    title: f.text,
    summary: f.text,
    done: f.text,
    trial: f.orNull(f.text),
    terms: f.orNull(f.text),
    skills: f.skills,
    seats: f.integer,
    budget: f.orNull(budget),
    /** Whether it was closed until now. */
    reopens: f.flag,
  },
  seals: { personal: ['title', 'summary', 'done', 'trial', 'terms'] },
});

export const Applied = event('Applied', {
  data: {
    role: f.slug,
    muse_id: f.museId,
    poster: f.orNull(f.museId),
    item: f.item,
    note: f.text,
    trial_answer: f.orNull(f.text),
    crew: f.orNull(f.slug),
  },
  seals: { personal: ['note'], private: ['trial_answer'] },
});

export const ApplicationEdited = event('ApplicationEdited', {
  data: {
    role: f.slug,
    muse_id: f.museId,
    poster: f.orNull(f.museId),
    note: f.text,
    trial_answer: f.orNull(f.text),
    crew: f.orNull(f.slug),
  },
  seals: { personal: ['note'], private: ['trial_answer'] },
});

/** A hire: who, for what, on which terms and on which application. */
export const hireFields = {
  role: f.slug,
  hire: f.id,
  item: f.item,
  poster: f.orNull(f.museId),
  worker: f.museId,
  project: f.orNull(f.slug),
  crew: f.orNull(f.slug),
  skills: f.skills,
  budget: f.orNull(budget),
  applied_at: f.time,
  /** The feed item of the application that it was hired on. */
  application: f.item,
  /** sha256 of the application's note in UTF-8, as it was hired on. */
  note_digest: f.hash,
};

/** Decides a hire: the seat is taken. `Hired` follows from it and carries the same data, time and authorization. */
export const SeatFilled = event('SeatFilled', { data: hireFields });

/** An applicant takes the application back: the one whose feed item is `application`. */
export const Withdrawn = event('Withdrawn', {
  data: { role: f.slug, muse_id: f.museId, poster: f.orNull(f.museId), application: f.item },
});

/** A hire ended before a delivery: its seat is free, and a job that was closed as filled is open again. */
export const SeatFreed = event('SeatFreed', {
  data: { role: f.slug, hire: f.id, poster: f.orNull(f.museId), worker: f.museId, reopens: f.flag },
});

/** `note` is what the poster says to it. */
export const JobClosed = event('JobClosed', {
  data: {
    role: f.slug,
    poster: f.orNull(f.museId),
    closed_reason: f.oneOf('filled', 'closed', 'removed', 'expired'),
    note: f.orNull(f.text),
  },
  seals: { personal: ['note'] },
});
