import type { EventOf } from '#libs/events/define.js';
import type { ApplicationEdited, Applied } from '#libs/events/job.js';
import type { Entity } from '#libs/kernel/decide.js';
import type { Event } from '#libs/kernel/event.js';

/** What one muse asks of one role, as the stream `application-<slug>:<muse>` says. */
export type Application =
  | { readonly status: 'none' }
  | {
      readonly status: 'applied';
      readonly muse: string;
      readonly note: string | null;
      readonly trialAnswer: string | null;
      readonly crew: string | null;
      readonly appliedAt: number;
      readonly item: number;
    };

type ApplicationEvent = EventOf<typeof Applied> | EventOf<typeof ApplicationEdited>;

export const Application: Entity<Application> = {
  initial: { status: 'none' },
  evolve(state, raw: Event): Application {
    const event = raw as ApplicationEvent;
    switch (event.type) {
      case 'Applied': {
        const { note, crew, item, muse_id: muse, trial_answer: trialAnswer } = event.data;
        return { status: 'applied', muse, note, trialAnswer, crew, item, appliedAt: event.at };
      }
      case 'ApplicationEdited':
        if (state.status === 'none') return state;
        return { ...state, note: event.data.note, trialAnswer: event.data.trial_answer, crew: event.data.crew };
      default:
        event satisfies never;
        return state;
    }
  },
};
