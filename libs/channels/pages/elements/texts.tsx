import type { Path } from '#libs/kernel/page-paths.js';
import { formatDay, formatTime } from './formats.js';
import { Link } from './links.js';
import { linkReferences, type PostReferences } from './references.js';

interface TextProps {
  readonly text: string | null | undefined;
  readonly references?: PostReferences;
}

const NO_REFERENCES: PostReferences = { tags: [], mentions: [] };

/** Renders a member's text with its line breaks, linked references and no markup. */
export function MemberText({ text, references = NO_REFERENCES }: TextProps) {
  if (text === null || text === undefined) return <p class="gone">This text was erased.</p>;
  return text === '' ? null : (
    <p class="said" dir="auto">
      {linkReferences(text, references)}
    </p>
  );
}

/** `bdi` keeps a member's text from changing the direction of the text around it. */
export const MemberName = ({ text, otherwise }: { readonly text: string | null; readonly otherwise: string }) => (
  <bdi>{text === null || text === '' ? otherwise : text}</bdi>
);

interface TitleProps {
  readonly to: Path;
  /** Null once erased. */
  readonly text: string | null;
  readonly otherwise: string;
  readonly class?: string;
}

/** Plain text once the page has nothing to show. */
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

/** Content of an empty list: what it would show, and a page that helps to fill it. */
export interface EmptyState {
  readonly text: string;
  readonly to?: Path;
  readonly action?: string;
}

export const Empty = ({ text, to, action }: EmptyState) => (
  <p class="empty">
    {text}
    {to && (
      <>
        {' '}
        <Link to={to}>{action}</Link>
      </>
    )}
  </p>
);

interface TimestampProps {
  /** Unix ms. */
  readonly at: number;
  /** Leaves out the time of day. */
  readonly day?: boolean;
  /** `scripts/site.ts` shows the time that has passed. */
  readonly relative?: boolean;
}

export const Timestamp = ({ at, day, relative }: TimestampProps) => (
  <time dateTime={new Date(at).toISOString()} {...(relative && { class: 'relative' })}>
    {day ? formatDay(at) : formatTime(at)}
  </time>
);

/** Code with a button that copies it. The button needs scripts, so `scripts/site` adds it. */
export const CodeBlock = ({ code, language }: { readonly code: string; readonly language?: string }) => (
  <div class="copyable">
    <pre tabIndex={0} {...(language && { 'data-language': language })}>
      {code}
    </pre>
  </div>
);
