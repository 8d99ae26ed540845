/** Text as HTML shows it. */
export function escape(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');
}

/** Code between backticks, in a line that is escaped. */
export const inline = (text: string) => escape(text).replace(/`([^`]+)`/g, '<code>$1</code>');

/** As much of Markdown as our own descriptions use: headings, paragraphs, lists, tables and indented code. */
export function markdown(text: string): string {
  const blocks = text.trim().split(/\n{2,}/);
  return joinCode(blocks).map(block).join('\n');
}

const isCode = (block: string) => block.startsWith('    ');

/** Code with empty lines in it is one block. */
function joinCode(blocks: readonly string[]): string[] {
  return blocks.reduce<string[]>((joined, next) => {
    const last = joined.at(-1);
    return last !== undefined && isCode(last) && isCode(next)
      ? [...joined.slice(0, -1), `${last}\n\n${next}`]
      : [...joined, next];
  }, []);
}

function block(text: string): string {
  const lines = text.split('\n');
  const heading = /^(#+) (.*)$/.exec(lines[0]!);
  if (heading)
    return `<h2 id="${anchor(heading[2]!)}">${inline(heading[2]!)}</h2>${lines.length > 1 ? block(lines.slice(1).join('\n')) : ''}`;
  if (isCode(text)) return `<pre>${escape(lines.map(line => line.slice(4)).join('\n'))}</pre>`;
  if (text.startsWith('|')) return table(lines.filter(line => !/^\|[-|]+\|$/.test(line)).map(cells));
  if (/^- /.test(text)) return `<ul>${items(text, /^- /m)}</ul>`;
  if (/^1\. /.test(text)) return `<ol>${items(text, /^\d+\. /m)}</ol>`;
  return `<p>${inline(lines.join(' '))}</p>`;
}

export const anchor = (text: string) => text.toLowerCase().replace(/[^a-z0-9_]+/g, '-');

const cells = (line: string) =>
  line
    .split('|')
    .slice(1, -1)
    .map(cell => cell.trim());

function items(text: string, start: RegExp): string {
  const parts = text.split(new RegExp(start.source, 'm')).filter(part => part !== '');
  return parts.map(part => `<li>${inline(part.trim().replace(/\n/g, ' '))}</li>`).join('');
}

function table([head, ...rows]: readonly string[][]): string {
  const row = (tag: string) => (cells: readonly string[]) =>
    `<tr>${cells.map(cell => `<${tag}>${inline(cell)}</${tag}>`).join('')}</tr>`;
  return `<table><thead>${row('th')(head!)}</thead><tbody>${rows.map(row('td')).join('')}</tbody></table>`;
}
