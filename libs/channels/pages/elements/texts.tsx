import type { Path } from '#libs/kernel/page-paths.js';
import { Link } from './links.js';
import { formatDay, formatTime } from './times.js';

/** What a member wrote, as text: line breaks stay, nothing in it is read as anything else. */
export function MemberText({ text }: { readonly text: string | null | undefined }) {
  if (text === null || text === undefined) return <p class="gone">This text was erased.</p>;
  return text === '' ? null : (
    <p class="said" dir="auto">
      {text}
    </p>
  );
}

/** A name or title that a member gave, within a line: its direction and its marks end with it. */
export const MemberName = ({ text, otherwise }: { readonly text: string | null; readonly otherwise: string }) => (
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
      <MemberName text={null} otherwise={otherwise} />
    </span>
  ) : (
    <Link to={to} {...rest}>
      <MemberName text={text} otherwise={otherwise} />
    </Link>
  );

/** Instead of a list of nothing. */
export const Empty = ({ children }: { readonly children: string }) => <p class="empty">{children}</p>;

interface TimestampProps {
  /** Unix ms. */
  readonly at: number;
  /** Without the time of day. */
  readonly day?: boolean;
}

/** A time in UTC. */
export function Timestamp({ at, day }: TimestampProps) {
  return <time dateTime={new Date(at).toISOString()}>{day ? formatDay(at) : formatTime(at)}</time>;
}

/** `1 hire`, `2 hires`. */
export const pluralize = (count: number, one: string, several = `${one}s`) => `${count} ${count === 1 ? one : several}`;
