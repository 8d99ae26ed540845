/** Answers as they come: snake_case, times in unix ms, money as strings. */

export type { DoneAnswer, NextStep, Payment, SignedDocument } from './answers/common.js';
export type * from './answers/identity.js';
export type * from './answers/network.js';
export type * from './answers/work.js';
