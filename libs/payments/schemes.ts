import { AUTH_CAPTURE } from './auth-capture.js';
import { EXACT } from './exact.js';
import type { Scheme } from './scheme.js';

/** Scheme of a price, or of a signed payment. */
export const schemeOf = ({ escrow }: { readonly escrow?: unknown }): Scheme =>
  escrow === undefined ? EXACT : AUTH_CAPTURE;
