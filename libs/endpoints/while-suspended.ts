import type { RequestFields } from '#libs/kernel/event.js';

/** What a muse may still do while the operator has suspended it: `true`, or what the fields that it sent say. */
export type WhileSuspended = true | ((sent: RequestFields) => boolean);

/** The same as a question, for every declaration. */
export const whileSuspended =
  (declared: WhileSuspended | undefined) =>
  (sent: RequestFields): boolean =>
    typeof declared === 'function' ? declared(sent) : declared === true;
