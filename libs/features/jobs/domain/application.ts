import { defineEvent, type EventOf, defineStream } from '#libs/domain/define.js';
import * as f from '#libs/domain/event-fields.js';

const applicationFields = {
  role: f.clear(f.slug),
  muse_id: f.clear(f.museId),
  poster: f.clear(f.orNull(f.museId)),
  note: f.personal(f.text),
  /** sha256 of the salt's bytes followed by the note's UTF-8. */
  note_commitment: f.clear(f.digest),
  note_salt: f.personal(f.digest),
  trial_answer: f.private(f.orNull(f.text)),
  crew: f.clear(f.orNull(f.slug)),
};

/** `item` is the application's id in the feed. */
export const Applied = defineEvent('Applied', { ...applicationFields, item: f.clear(f.item) });

export const ApplicationEdited = defineEvent('ApplicationEdited', applicationFields);

export type Application =
  | { readonly status: 'none' }
  | {
      readonly status: 'applied';
      readonly muse: string;
      readonly note: string | null;
      readonly noteCommitment: string;
      readonly trialAnswer: string | null;
      readonly crew: string | null;
      readonly appliedAt: number;
      readonly item: number;
    };

type ApplicationEvent = EventOf<typeof Applied> | EventOf<typeof ApplicationEdited>;

export const Application = defineStream('application', {
  key: (slug: string, museId: string) => `${slug}:${museId}`,
  events: [Applied, ApplicationEdited],
  initial: { status: 'none' },
  evolve(state: Application, event: ApplicationEvent): Application {
    switch (event.type) {
      case 'Applied': {
        const { item, muse_id: muse } = event.data;
        return { status: 'applied', muse, item, appliedAt: event.at, ...applicationTexts(event.data) };
      }
      case 'ApplicationEdited':
        return state.status === 'none' ? state : { ...state, ...applicationTexts(event.data) };
      default:
        event satisfies never;
        return state;
    }
  },
});

function applicationTexts({ note, note_commitment, trial_answer, crew }: ApplicationEvent['data']) {
  return { note, noteCommitment: note_commitment, trialAnswer: trial_answer, crew };
}
