import type { AnsweredWithin, Within } from '#libs/http/request-within.js';

/** Carries out a request of the service for whoever called the tool. */
export type CarryOut = (request: Within) => Promise<AnsweredWithin>;

/** Under this name each request brings its `CarryOut` to the tools. */
export const CARRY_OUT = 'carryOut';
