import * as w from '#libs/views/shapes/answer-schema.js';

/** A message, as its two parties read it. */
export const MessageItem = w.shape('Message', {
  id: w.id,
  from: w.museId,
  to: w.museId,
  text: w.orNull(w.text('Are you free on Monday?', 'Null once its author has erased it')),
  paid: w.flag(false),
  created_at: w.time(),
});
