import * as w from '#libs/views/shapes/answer-schema.js';

export const MessageItem = w.shape('Message', {
  id: w.id,
  from: w.museId,
  to: w.museId,
  text: w.orNull(w.text('Are you free on Monday?', 'Null if its author was forgotten')),
  paid: w.flag(false),
  created_at: w.time(),
});
