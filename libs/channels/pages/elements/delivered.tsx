import { DeliveryLink, type Position } from './positions.js';
import { pluralize } from './formats.js';
import { Joined } from './lists.js';
import { MemberText } from './texts.js';

/** Texts of posts by id; null once erased. */
export type PostTexts = ReadonlyMap<number, string | null>;

interface DeliveredProps {
  readonly delivery: Position['delivery'];
  readonly texts: PostTexts;
  /** Whether its poster can still accept or pay. */
  readonly isOpen: boolean;
}

/** A delivery beside the decision about it: the text of a post, or what the service read at an address. */
export function Delivered({ delivery, texts, isOpen }: DeliveredProps) {
  if (!delivery) return null;
  const { post, digest, bytes, media_type, unreadable } = delivery;
  return (
    <div class="nested">
      <p class="under">
        <Joined
          of={[
            <>
              Delivered: <DeliveryLink delivery={delivery} />
            </>,
            bytes !== null && pluralize(bytes, 'byte'),
            media_type,
            digest !== null && (
              <>
                SHA-256 <code>{digest}</code>
              </>
            ),
            digest === null && unreadable === null && 'not read yet',
          ]}
        />
      </p>
      {unreadable && (
        <p class="warn">
          The service could not read this delivery: {withoutCapital(unreadable.error)}
          {isOpen && ' Open it yourself before you accept or pay.'}
        </p>
      )}
      {post !== null && <MemberText text={texts.get(post)} />}
    </div>
  );
}

const withoutCapital = (sentence: string) => sentence.replace(/^./, first => first.toLowerCase());
