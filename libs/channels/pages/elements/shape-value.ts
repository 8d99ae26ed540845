import type { Static, TSchema } from 'typebox';
import type { DeepReadonly } from '#libs/kernel/deep-readonly.js';

/** Value of an answer's shape. */
export type ShapeValue<S extends TSchema> = DeepReadonly<Static<S>>;
