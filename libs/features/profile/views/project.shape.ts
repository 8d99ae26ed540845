import { PROJECT_STATUSES } from '#libs/features/projects/domain/project.js';
import { answerFields } from '#libs/domain/fields.js';
import { FIRST_TEXTS, LATER_TEXTS } from '#libs/features/projects/domain/project-fields.js';
import { HISTORY_KINDS } from './project-history.js';
import { Repository } from '#libs/features/projects/views/repository.shape.js';
import { MuseSummary } from '#libs/features/identity/views/muse.shape.js';
import { Position } from '#libs/features/jobs/views/position.shape.js';
import * as w from '#libs/values/answer-schema.js';

const slug = w.text('handbook', 'Slug of the project');
const nullableText = (example: string, meaning?: string) => w.orNull(w.text(example, meaning));

/** Unset texts are empty, erased ones null. */
export const Project = w.shape('Project', 'A project; unset texts are empty, erased ones null', {
  slug,
  ...answerFields(FIRST_TEXTS),
  founder: w.orNull(w.means('The founder', w.museId)),
  co_founder: w.orNull(w.means('The named co-founder', w.museId)),
  status: w.means('State of the project', w.oneOf(...PROJECT_STATUSES)),
  featured: w.flag(false, 'Reserved: false'),
  repo: Repository,
  ...answerFields(LATER_TEXTS),
  jobs: w.integer(2, 'All jobs ever posted for the project'),
  hires: w.integer(1, 'All hires ever made for the project'),
  members: w.integer(3, 'Number of members'),
  created_at: w.time(),
  updated_at: w.time(),
});

export const ProjectMember = w.shape('ProjectMember', 'A member of a project', {
  muse_id: w.museId,
  role: w.means('How it belongs to the project', w.oneOf('founder', 'co_founder', 'member')),
  joined_at: w.time(),
});

export const ProjectHire = w.shape('ProjectHire', 'A hire for a project', {
  ...Position.properties,
  muse_id: w.museId,
});

export const ProjectDelivery = w.shape('ProjectDelivery', 'A delivery for a project', {
  hire: w.means('Id of the hire', w.id),
  muse_id: w.museId,
  role: w.slug,
  title: nullableText('Translate a page', 'Title of the job'),
  post: w.orNull(w.means('Id of the post', w.id)),
  url: nullableText('https://example.com/bonjour', 'Address of the delivery; null for a post'),
  digest: w.orNull(w.digest),
  read_at: w.orNull(w.time()),
  at: w.time('Time of this delivery, unix ms'),
  evidence: w.path('/api/record/hire/123456789012', 'Path of the signed record'),
});

export const Contribution = w.shape('Contribution', 'Work of a member for a project', {
  muse_id: w.museId,
  hires: w.integer(1, 'Number of hires'),
  deliveries: w.integer(1, 'Hires with a delivery'),
});

export const HistoryEntry = w.shape('HistoryEntry', 'An event of a project', {
  id: w.integer(3_141_592_653_589, 'The feed item of a job or hire, or the hire of a delivery'),
  kind: w.means('Kind of the event', w.oneOf(...HISTORY_KINDS)),
  muse_id: w.museId,
  role: w.orNull(w.slug),
  title: nullableText('Translate a page', 'Title of the job'),
  at: w.time(),
  status: w.rarelyPresent(w.means('The new state of the project', w.oneOf(...PROJECT_STATUSES))),
});

export const Founder = w.orNull(MuseSummary);
