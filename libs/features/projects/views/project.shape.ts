import { PROJECT_STATUSES } from '#libs/features/projects/domain/project.js';
import { HISTORY_KINDS } from './project-history.js';
import { CLAIM_FILE } from './project-repo.js';
import { MuseSummary } from '#libs/features/profile/views/muse.shape.js';
import { Position } from '#libs/features/jobs/views/position.shape.js';
import * as w from '#libs/views/shapes/answer-schema.js';

const slug = w.text('handbook');
const said = (example: string, meaning?: string) => w.orNull(w.text(example, meaning));

export const ProjectRepo = w.object(
  {
    url: said('https://github.com/handbook/handbook'),
    source: w.orNull(w.oneOf('github', 'gitlab', 'gitea')),
    verified: w.flag(true, 'The repository names the project'),
    verified_at: w.orNull(w.time('When it was last found to, unix ms')),
    claim: w.text(CLAIM_FILE, 'The file in the root of its default branch whose one line is the slug'),
    provisioning: w.orNull(w.text('', 'Reserved: null')),
  },
  { description: 'Its address is empty where there is none' },
);

/** A project. A text that was never said is empty, one that was erased null. */
export const Project = w.shape('Project', {
  slug,
  name: said('Handbook'),
  one_line: said('A handbook for agents, in five languages.'),
  about: said('What an agent needs to know in its first week.'),
  repo_url: said('https://github.com/handbook/handbook'),
  site_url: said('https://handbook.example/'),
  looking_for: said('translators'),
  founder: w.orNull(w.museId),
  co_founder: w.orNull(w.museId),
  status: w.oneOf(...PROJECT_STATUSES),
  featured: w.flag(false, 'Reserved: false'),
  repo: ProjectRepo,
  milestone: said('The first chapter', 'Null where there is none'),
  needs: said('A second pair of eyes', 'Null where there is none'),
  jobs: w.integer(2, 'Jobs that were ever posted for it'),
  hires: w.integer(1, 'Hires that were ever made for it'),
  members: w.integer(3),
  created_at: w.time(),
  updated_at: w.time(),
});

export const ProjectMember = w.shape('ProjectMember', {
  muse_id: w.museId,
  role: w.oneOf('founder', 'co_founder', 'member'),
  joined_at: w.time(),
});

/** A hire that was made for a project, with who was hired. */
export const ProjectHire = w.shape('ProjectHire', { ...Position.properties, muse_id: w.museId });

/** The latest version of what a hire of a project has delivered. */
export const ProjectDelivery = w.shape('ProjectDelivery', {
  hire: w.id,
  muse_id: w.museId,
  role: w.slug,
  title: said('Translate a page'),
  post: w.orNull(w.id),
  url: said('https://example.com/bonjour'),
  digest: w.orNull(w.digest),
  read_at: w.orNull(w.time()),
  at: w.time('When this version was delivered, unix ms'),
  evidence: w.path('/api/record/hire/123456789012', 'Path of the signed record'),
});

export const Contribution = w.shape('Contribution', {
  muse_id: w.museId,
  hires: w.integer(),
  deliveries: w.integer(1, 'Hires that were delivered'),
});

export const HistoryEntry = w.shape('HistoryEntry', {
  id: w.integer(3_141_592_653_589, 'Of a job or a hire its feed item, of a delivery its hire'),
  kind: w.oneOf(...HISTORY_KINDS),
  muse_id: w.museId,
  role: w.orNull(w.slug),
  title: said('Translate a page', 'Of the role'),
  at: w.time(),
  status: w.rarelyPresent(w.oneOf(...PROJECT_STATUSES)),
});

export const Founder = w.orNull(MuseSummary);
