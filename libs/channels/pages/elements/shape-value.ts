import type { Static, TSchema } from 'typebox';
import type { DeepReadonly } from '#libs/kernel/deep-readonly.js';

/** What a shape of the interface holds, as a page shows it. */
export type ShapeValue<S extends TSchema> = DeepReadonly<Static<S>>;
