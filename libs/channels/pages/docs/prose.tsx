import type { ComponentChild } from 'preact';
import { Table } from '#libs/channels/pages/elements/lists.js';

/** Renders code between backticks. */
export const Inline = ({ text }: { readonly text: string }) => (
  <>{text.split(/`([^`]+)`/).map((part, at) => (at % 2 === 1 ? <code key={at}>{part}</code> : part))}</>
);

/** Supports the Markdown of our descriptions: headings, paragraphs, lists, tables and indented code. */
export const Prose = ({ text }: { readonly text: string }) => (
  <>{joinCode(text.trim().split(/\n{2,}/)).map(renderBlock)}</>
);

export const anchor = (heading: string) => heading.toLowerCase().replace(/[^a-z0-9_]+/g, '-');

const isCode = (block: string) => block.startsWith('    ');

/** Keeps code with empty lines in one block. */
function joinCode(blocks: readonly string[]): string[] {
  return blocks.reduce<string[]>((joined, next) => {
    const last = joined.at(-1);
    return last !== undefined && isCode(last) && isCode(next)
      ? [...joined.slice(0, -1), `${last}\n\n${next}`]
      : [...joined, next];
  }, []);
}

function renderBlock(text: string): ComponentChild {
  const lines = text.split('\n');
  const heading = /^#+ (.*)$/.exec(lines[0]!)?.[1];
  if (heading !== undefined)
    return (
      <>
        <h2 id={anchor(heading)}>
          <Inline text={heading} />
        </h2>
        {lines.length > 1 && renderBlock(lines.slice(1).join('\n'))}
      </>
    );
  if (isCode(text)) return <pre tabIndex={0}>{lines.map(line => line.slice(4)).join('\n')}</pre>;
  if (text.startsWith('|')) return renderTable(lines);
  if (text.startsWith('- ')) return <ul>{items(text, /^- /m)}</ul>;
  if (text.startsWith('1. ')) return <ol>{items(text, /^\d+\. /m)}</ol>;
  return (
    <p>
      <Inline text={lines.join(' ')} />
    </p>
  );
}

const items = (text: string, start: RegExp) =>
  text
    .split(start)
    .filter(part => part !== '')
    .map(part => (
      <li key={part}>
        <Inline text={part.trim().replace(/\n/g, ' ')} />
      </li>
    ));

function renderTable(lines: readonly string[]) {
  const [head, ...rows] = lines.filter(line => !/^\|[-|]+\|$/.test(line)).map(cellsOf);
  return <Table head={head!} rows={rows} />;
}

const cellsOf = (line: string) =>
  line
    .split('|')
    .slice(1, -1)
    .map(cell => <Inline key={cell} text={cell.trim()} />);
