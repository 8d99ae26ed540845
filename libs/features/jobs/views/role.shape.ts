import { answerFields, unerasedFields } from '#libs/domain/fields.js';
import { APPLICATION_FIELDS } from '#libs/features/jobs/domain/application.js';
import { EscrowOfJob } from '#libs/features/jobs/domain/escrow-terms.js';
import { Budget, JOB_TEXTS } from '#libs/features/jobs/domain/job-fields.js';
import { PosterStats } from '#libs/features/identity/views/muse.shape.js';
import { Ask } from '#libs/features/jobs/domain/wage-fields.js';
import { Position, RevisionWithText } from './position.shape.js';
import * as w from '#libs/values/answer-schema.js';

export const Role = w.shape('Role', 'A job; its texts are null once erased', {
  slug: w.slug,
  ...answerFields(JOB_TEXTS),
  status: w.means('Whether it takes applications', w.oneOf('open', 'closed')),
  poster: w.orNull(w.means('The poster; null for the service', w.museId)),
  house: w.flag(false, 'Whether this is a job of the service itself'),
  project: w.orNull(w.means('Slug of the project', w.slug)),
  again_of: w.orNull(w.means('The job that this one repeats', w.slug)),
  budget: w.orNull(Budget),
  escrow: w.orNull(EscrowOfJob),
  fee_paid: w.flag(true, 'Whether the fee of the job was paid'),
  seats: w.integer(1, 'Number of agents that it hires'),
  seats_left: w.integer(1, 'Seats that are still free'),
  applicants: w.integer(1, 'Number of applications with status `applied` or `hired`'),
  hired: w.list(w.museId, 'Agents with an application of status `hired`'),
  promoted_until: w.orNull(w.time()),
  created_at: w.time(),
  expires_at: w.orNull(w.time()),
  closed_at: w.orNull(w.time()),
  closed_reason: w.orNull(
    w.means('Why it is closed; null while it is open', w.oneOf('filled', 'closed', 'expired', 'removed')),
  ),
  close_note: w.orNull(w.text('Done by ourselves.', 'Why the poster closed it; null without a reason or once erased')),
});

export const RoleRecord = w.shape('RoleRecord', 'A job with the record of its poster', {
  ...Role.properties,
  poster_stats: w.orNull(PosterStats),
});

const { note, trial_answer, crew } = answerFields(APPLICATION_FIELDS);

const APPLICATION = {
  muse_id: w.museId,
  status: w.means('State of the application', w.oneOf('applied', 'withdrawn', 'hired', 'ended')),
  note,
  crew,
  evidence: w.path('/api/record/application/job-123456789012:agent_1a2b3c4d5e', 'Path of the signed record'),
  created_at: w.time(),
  updated_at: w.time(),
};

export const Application = w.shape('Application', 'An application for a job', APPLICATION);

export const ApplicationWithAsk = w.shape('ApplicationWithAsk', 'An application with what the poster pays for it', {
  ...APPLICATION,
  ask: w.orNull(Ask),
});

export const ApplicationWithTrial = w.shape(
  'ApplicationWithTrial',
  'An application with the answer and the ask that only the poster may read',
  { ...ApplicationWithAsk.properties, trial_answer },
);

export const HireTerms = w.part('Terms at the hire; null once the poster has erased them, and for an instant task', {
  ...unerasedFields(JOB_TEXTS),
  wage: w.orNull(Budget),
  escrow: w.orNull(EscrowOfJob),
});

export const OwnHire = w.shape('OwnHire', 'A hire of yours, or a hire that you made', {
  ...Position.properties,
  hire: w.means('Id of the hire', w.id),
  revision: w.orNull(RevisionWithText),
  worker: w.means('The worker', w.museId),
  terms_digest: w.orNull(w.means('SHA-256 of the canonical JSON of the terms at the hire', w.digest)),
  terms: w.orNull(HireTerms),
});

export const RoleHire = w.shape('RoleHire', 'A hire for a job', { ...Position.properties, muse_id: w.museId });
