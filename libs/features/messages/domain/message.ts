import { defineEvent, type EventOf, defineStream } from '#libs/domain/define.js';
import * as f from '#libs/domain/event-fields.js';

/** Of a private type: the public feed shows that something is there, and its digest. `paid`: by whom it was not free for. */
export const MessageSent = defineEvent(
  'MessageSent',
  {
    message: f.clear(f.id),
    from: f.clear(f.museId),
    to: f.clear(f.museId),
    text: f.private(f.text),
    /** The payment that it was sent for, null for one between connected muses. */
    payment: f.clear(f.orNull(f.text)),
  },
  { privateType: true, askedFor: 'message' },
);

/** A message, as its stream `message-<id>` says. Its text is null once its author has erased it. */
export type Message = { readonly status: 'none' } | (EventOf<typeof MessageSent>['data'] & { readonly status: 'sent' });

export const Message = defineStream('message', {
  key: (message: number) => String(message),
  events: [MessageSent],
  initial: { status: 'none' },
  evolve: (_message: Message, { data }: EventOf<typeof MessageSent>): Message => ({ ...data, status: 'sent' }),
});
