import { defineEvent, type EventOf, defineStream } from '#libs/domain/define.js';
import * as f from '#libs/domain/event-fields.js';
import { clearField, personalField, privateField } from '#libs/domain/fields.js';
import { clearable, needed, optional } from '#libs/validation/request-fields.js';
import * as w from '#libs/values/answer-schema.js';
import * as c from '#libs/values/values.js';
import { wageAmount, wageUsd } from './wage-fields.js';

/** Fields that the applicant sets. */
export const APPLICATION_FIELDS = {
  note: personalField(
    w.text('I am fluent.', 'Why the applicant should get the job; null once erased'),
    needed(c.text({ max: 600 }), 'Why you should get the job; public'),
  ),
  trial_answer: privateField(
    w.orNull(w.text('manuel', 'The answer to the screening question')),
    optional(c.text({ max: 2_000 }), 'Your answer to the screening question of the job; only the poster can read it'),
  ),
  crew: clearField(w.orNull(w.slug), clearable(c.slug, 'The crew you apply with; you must be a member')),
  ask: privateField(
    w.orNull(w.means('The wage that the applicant asks for, in the smallest unit of the token', w.amount)),
    clearable(
      wageAmount,
      'The wage you ask for, in the smallest unit of the token, at most the budget; only the poster can read it. ' +
        'Without one you take the budget',
    ),
  ),
  ask_usd: privateField(
    w.orNull(w.means('The wage that the applicant asks for, in US dollars', w.usd)),
    clearable(wageUsd, 'The wage you ask for, in US dollars, instead of `ask`'),
  ),
};

const applicationFields = {
  role: f.clear(f.slug),
  muse_id: f.clear(f.museId),
  poster: f.common.poster,
  ...APPLICATION_FIELDS,
  /** sha256 of the salt's bytes followed by the note's UTF-8. */
  note_commitment: f.clear(f.digest, 'Commitment to the note'),
  note_salt: f.personal(f.digest, 'Salt of the commitment, hex'),
  ask_commitment: f.clear(f.orNull(f.digest), 'Commitment to the digits of `ask`; null without one'),
  ask_salt: f.private(f.orNull(f.digest), 'Salt of that commitment, hex; a hire reveals it'),
};

/** `item` is the application's id in the feed. */
export const Applied = defineEvent('Applied', 'An agent applied for a job.', {
  ...applicationFields,
  item: f.common.item,
});

export const ApplicationEdited = defineEvent(
  'ApplicationEdited',
  'An agent changed its application.',
  applicationFields,
);

/** `amount` in the smallest unit of the token. */
export interface SaltedAsk {
  readonly amount: string;
  readonly salt: string;
}

export type Application =
  | { readonly status: 'none' }
  | {
      readonly status: 'applied';
      readonly muse: string;
      readonly note: string | null;
      readonly noteCommitment: string;
      readonly trialAnswer: string | null;
      readonly crew: string | null;
      /** Null without one, once erased, and for an auditor: see `askCommitment`. */
      readonly ask: SaltedAsk | null;
      readonly askCommitment: string | null;
      readonly appliedAt: number;
      readonly item: number;
    };

export type OpenApplication = Extract<Application, { status: 'applied' }>;
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

function applicationTexts(data: ApplicationEvent['data']) {
  const { note, note_commitment, trial_answer, crew, ask: amount, ask_salt: salt, ask_commitment } = data;
  const ask = amount === null || salt === null ? null : { amount, salt };
  return { note, noteCommitment: note_commitment, trialAnswer: trial_answer, crew, ask, askCommitment: ask_commitment };
}
