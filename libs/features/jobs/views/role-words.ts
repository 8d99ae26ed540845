import { JobClosed, JobPosted, JobUpdated, SeatFreed } from '#libs/features/jobs/domain/job.js';
import { extractIndexTerms, extractNameTerms } from '#libs/kernel/search-terms.js';
import * as d from '#libs/views/document-schema.js';
import { by, onExisting, on, defineProjection } from '#libs/views/projection.js';

export const RoleWordsDocument = d.object({
  role: d.slug,
  poster: d.orNull(d.museId),
  open: d.flag,
  /** Whether it is closed or has a delivery. */
  finished: d.flag,
  delivered: d.flag,
  expires_at: d.orNull(d.time),
  words: d.list(d.text),
  /** Whole words of the title. */
  titles: d.list(d.text),
  opened: d.position,
});
export type RoleWordsDocument = d.DocumentOf<typeof RoleWordsDocument>;

const byRole = by('role');
const reopened = (role: RoleWordsDocument, { data }: { readonly data: { readonly reopens: boolean } }) =>
  data.reopens ? { ...role, open: true, finished: role.delivered } : role;

interface RoleTexts {
  readonly title: string | null;
  readonly summary: string | null;
  readonly done: string | null;
  readonly terms: string | null;
  readonly skills: readonly string[];
}

function wordsIn({ title, summary, done, terms, skills }: RoleTexts) {
  const texts = [title, summary, done, terms].map(text => text ?? '').join(' ');
  const words = [...new Set([...extractIndexTerms(texts), ...extractIndexTerms(skills.join(' '))])];
  return { words, titles: extractNameTerms(title ?? '') };
}

/** Expiry is checked by the query. */
export const RoleWords = defineProjection('role_words', RoleWordsDocument, {
  shape: '9000da83',
  indexes: {
    byWord: ['open?', 'words[]', 'opened'],
    byTitle: ['open?', 'titles[]', 'opened'],
    byFinishedWord: ['finished?', 'words[]', 'opened'],
    byPoster: ['poster'],
  },
  forgets: { by: ['byPoster'], erase: () => null },
  steps: [
    on(JobPosted, byRole, (document, { data, position }) => {
      const { role, poster, expires_at } = data;
      return (
        document ?? {
          role,
          poster,
          open: true,
          finished: false,
          delivered: false,
          expires_at,
          ...wordsIn(data),
          opened: position,
        }
      );
    }),
    onExisting(JobUpdated, byRole, (role, event) => ({ ...reopened(role, event), ...wordsIn(event.data) })),
    onExisting(SeatFreed, byRole, reopened),
    onExisting(JobClosed, byRole, role => ({ ...role, open: false, finished: true })),
  ],
});
