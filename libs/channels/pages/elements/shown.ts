import type { Static, TSchema } from 'typebox';
import type { Unchanging } from '#libs/kernel/unchanging.js';

/** What a shape of the interface holds, as a page shows it. */
export type Shown<S extends TSchema> = Unchanging<Static<S>>;
