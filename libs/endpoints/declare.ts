/** Vocabulary of a declaration: an endpoint, its fields with their checks (`c`) and its answer (`w`). */
export * as c from '#libs/values/values.js';
export * as w from '#libs/values/answer-schema.js';
export { clearable, needed, optional } from '#libs/validation/request-fields.js';
export { defineCommand, readsNoFurtherStream } from './command.js';
export { definePrivateQuery, defineQuery } from './query.js';
export { shownFields } from './shown-fields.js';
