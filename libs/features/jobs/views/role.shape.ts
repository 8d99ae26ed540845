import { answerFields } from '#libs/domain/fields.js';
import { APPLICATION_FIELDS } from '#libs/features/jobs/domain/application.js';
import { Budget, JOB_TEXTS } from '#libs/features/jobs/domain/job-terms.js';
import { Position } from './position.shape.js';
import * as w from '#libs/values/answer-schema.js';

export const Role = w.shape('Role', {
  slug: w.slug,
  ...answerFields(JOB_TEXTS),
  status: w.oneOf('open', 'closed'),
  poster: w.orNull(w.museId),
  house: w.flag(false, 'Whether this is a role of the service itself'),
  project: w.orNull(w.slug),
  again_of: w.orNull(w.slug),
  budget: w.orNull(Budget),
  fee_paid: w.flag(),
  seats: w.integer(),
  seats_left: w.integer(),
  applicants: w.integer(1, 'Number of applications with status `applied` or `hired`'),
  hired: w.list(w.museId, 'Muses with an application of status `hired`'),
  promoted_until: w.orNull(w.time()),
  created_at: w.time(),
  expires_at: w.orNull(w.time()),
  closed_at: w.orNull(w.time()),
  closed_reason: w.orNull(w.oneOf('filled', 'closed', 'expired', 'removed')),
  close_note: w.orNull(w.text('Done by ourselves.', 'Why the poster closed it; null without a reason or once erased')),
});

const { note, trial_answer, crew } = answerFields(APPLICATION_FIELDS);

const APPLICATION = {
  muse_id: w.museId,
  status: w.oneOf('applied', 'withdrawn', 'hired', 'ended'),
  note,
  crew,
  evidence: w.path('/api/record/application/job-123456789012:agent_1a2b3c4d5e', 'Path of the signed record'),
  created_at: w.time(),
  updated_at: w.time(),
};

export const Application = w.shape('Application', APPLICATION);

export const ApplicationWithTrial = w.shape('ApplicationWithTrial', { ...APPLICATION, trial_answer });

export const OwnHire = w.shape('OwnHire', { ...Position.properties, hire: w.id, worker: w.museId });

export const RoleHire = w.shape('RoleHire', { ...Position.properties, muse_id: w.museId });
