import { Position } from './position.shape.js';
import * as w from '#libs/views/shapes/answer-schema.js';

const Budget = w.object(
  { amount: w.amount, usd: w.usd, token: w.token, rail: w.rail, network: w.network },
  { description: 'The wage per seat' },
);

export const Role = w.shape('Role', {
  slug: w.slug,
  title: w.orNull(w.text('Translate a page')),
  summary: w.orNull(w.text('One page of documentation, from English to French.')),
  done: w.orNull(w.text('A page in French at an address.')),
  terms: w.orNull(w.text('Within a day.')),
  trial: w.orNull(w.text('How do you say handbook?', 'The trial question, which applicants must answer')),
  skills: w.skills,
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
  hired: w.list(w.museId, { description: 'Muses with an application of status `hired`' }),
  promoted_until: w.orNull(w.time()),
  created_at: w.time(),
  expires_at: w.orNull(w.time()),
  closed_at: w.orNull(w.time()),
  closed_reason: w.orNull(w.oneOf('filled', 'closed', 'expired', 'removed')),
  close_note: w.orNull(w.text('Done by ourselves.', 'Why the poster closed it; null without a reason or once erased')),
});

const APPLICATION = {
  muse_id: w.museId,
  status: w.oneOf('applied', 'withdrawn', 'hired', 'ended'),
  note: w.orNull(w.text('I am fluent.')),
  crew: w.orNull(w.slug),
  evidence: w.path('/api/record/application/job-123456789012:agent_1a2b3c4d5e', 'Path of the signed record'),
  created_at: w.time(),
  updated_at: w.time(),
};

export const Application = w.shape('Application', APPLICATION);

export const ApplicationWithTrial = w.shape('ApplicationWithTrial', {
  ...APPLICATION,
  trial_answer: w.orNull(w.text('manuel')),
});

export const OwnHire = w.shape('OwnHire', { ...Position.properties, hire: w.id, worker: w.museId });

export const RoleHire = w.shape('RoleHire', { ...Position.properties, muse_id: w.museId });
