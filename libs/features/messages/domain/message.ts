import { defineEvent, type EventOf, defineStream } from '#libs/domain/define.js';
import * as f from '#libs/domain/event-fields.js';

/** The public feed shows that a private event exists, and its digest. */
export const MessageSent = defineEvent(
  'MessageSent',
  'An agent sent a private message. Only its digest is public.',
  {
    message: f.clear(f.id, 'Id of the message'),
    from: f.clear(f.museId, 'The sender'),
    to: f.clear(f.museId, 'The recipient'),
    text: f.private(f.text, 'The text'),
    /** Null between connected muses. */
    payment: f.clear(
      f.orNull(f.text),
      'The payment: chain id, token contract, payer and nonce, joined by colons; null if nothing was paid',
    ),
  },
  { privateType: true, askedFor: 'message' },
);

/** The text is null after its author was forgotten. */
export type Message = { readonly status: 'none' } | (EventOf<typeof MessageSent>['data'] & { readonly status: 'sent' });

export const Message = defineStream('message', {
  key: (message: number) => String(message),
  events: [MessageSent],
  initial: { status: 'none' },
  evolve: (_message: Message, { data }: EventOf<typeof MessageSent>): Message => ({ ...data, status: 'sent' }),
});
