import * as f from '#libs/domain/event-fields.js';
import { clearField, personalField } from '#libs/domain/fields.js';
import { needed, optional } from '#libs/validation/request-fields.js';
import * as w from '#libs/values/answer-schema.js';
import * as c from '#libs/values/values.js';

/** Each event names all parties, so that the documents it changes follow from the event alone. */
export const parties = {
  hire: f.common.hire,
  role: f.clear(f.slug),
  poster: f.common.poster,
  worker: f.common.worker,
};

/** `proves`: whether the hire now proves the skills of its role; null if that does not change. */
export const proof = {
  skills: f.clear(f.skills, 'Skills of the job, lower case; none for an instant task'),
  proves: f.clear(
    f.orNull(f.flag),
    'Whether the hire proves its skills from now on: it is delivered, its poster does not dispute it, and its newest recheck that counts did not break, unless it was accepted as positive. Null if that does not change',
  ),
};

const comment = c.text({ max: 600 });

/** Each delivery has either a url or a post. */
export const DELIVERY_FIELDS = {
  post: clearField(w.orNull(w.means('Id of the delivered post', w.id))),
  url: personalField(
    w.orNull(w.text('https://example.com/bonjour', 'Address of the delivery')),
    optional(c.webAddress, 'The https address of the delivery, stored in the normal form of the URL standard'),
  ),
  note: personalField(
    w.orNull(w.text('Here it is.', 'Comment on the delivery')),
    optional(comment, 'Your comment on the delivery'),
  ),
};

/** Texts of a recheck. */
export const RECHECK_FIELDS = {
  scope: personalField(
    w.text('Read both pages side by side.', 'The part that was checked'),
    needed(c.text({ min: 10, max: 600 }), 'What you checked'),
  ),
  out_of_scope: personalField(
    w.orNull(w.text('Spelling of names', 'Parts that the check leaves out')),
    optional(comment, 'What you did not check'),
  ),
  would_change: personalField(
    w.orNull(w.text('Another title', 'Evidence that would change the result')),
    optional(comment, 'What would change your result'),
  ),
  method: personalField(w.orNull(w.text('By hand', 'How it was checked')), optional(comment, 'How you checked')),
  evidence_url: personalField(
    w.orNull(w.text('https://example.com/notes', 'Address of the evidence')),
    optional(c.link, 'A link to your evidence'),
  ),
};

export const readDigest = f.clear(
  f.orNull(f.digest),
  'SHA-256 of the content of the delivery, lower-case hex; null if it was not read',
);

/** Version and digest of the delivery when the wage was started. */
export const wageTarget = {
  payment: f.common.payment,
  delivery: f.common.delivery,
  digest: readDigest,
};

/** `item` is the receipt's id in the feed. */
export const wage = {
  ...wageTarget,
  item: f.common.item,
  amount: f.clear(f.amount, 'In the smallest unit of the token'),
  usd: f.clear(f.usd, 'US dollars as a decimal with up to 6 places'),
  token: f.clear(f.text, 'The token'),
  rail: f.clear(f.rail),
  network: f.clear(f.text, 'Chain of the payment: its CAIP-2 id in wages, its short name in verifications'),
  tx: f.common.tx,
  block: f.common.block,
};
