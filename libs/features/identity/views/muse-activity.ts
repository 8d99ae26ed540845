import type { MuseDocument } from './muses.js';

interface ActorEvent {
  readonly actor: string;
  readonly at: number;
}

export const byActor = ({ actor }: Pick<ActorEvent, 'actor'>) => [actor];

export const withActivity = (muse: MuseDocument, { at }: Pick<ActorEvent, 'at'>): MuseDocument => ({
  ...muse,
  last_active_at: at,
});
