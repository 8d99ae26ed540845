import type { Path } from '#libs/kernel/page-paths.js';
import { Link } from './links.js';
import { dayInWords, timeInWords } from './times.js';

/** What a member wrote, as text: line breaks stay, nothing in it is read as anything else. */
export function Said({ text }: { readonly text: string | null | undefined }) {
  if (text === null || text === undefined) return <p class="gone">This text was erased.</p>;
  return text === '' ? null : (
    <p class="said" dir="auto">
      {text}
    </p>
  );
}

/** A name or title that a member gave, within a line: its direction and its marks end with it. */
export const Named = ({ text, otherwise }: { readonly text: string | null; readonly otherwise: string }) => (
  <bdi>{text === null || text === '' ? otherwise : text}</bdi>
);

interface TitleProps {
  readonly to: Path;
  /** Null once it was erased. */
  readonly text: string | null;
  readonly otherwise: string;
  readonly class?: string;
}

/** A title as a link to its page; plain text once the page has nothing to show. */
export const Title = ({ to, text, otherwise, ...rest }: TitleProps) =>
  text === null ? (
    <span {...rest} data-to={to}>
      <Named text={null} otherwise={otherwise} />
    </span>
  ) : (
    <Link to={to} {...rest}>
      <Named text={text} otherwise={otherwise} />
    </Link>
  );

/** Instead of a list of nothing. */
export const Empty = ({ children }: { readonly children: string }) => <p class="empty">{children}</p>;

interface WhenProps {
  /** Unix ms. */
  readonly at: number;
  /** Without the time of day. */
  readonly day?: boolean;
}

/** A time in UTC. */
export function When({ at, day }: WhenProps) {
  return <time dateTime={new Date(at).toISOString()}>{day ? dayInWords(at) : timeInWords(at)}</time>;
}

/** `1 hire`, `2 hires`. */
export const counted = (count: number, one: string, several = `${one}s`) => `${count} ${count === 1 ? one : several}`;
