import { ERRORS_PATH, INVALID_FIELD } from '#libs/kernel/problem-type.js';
import { REASONS } from '#libs/kernel/reasons.js';
import { codeRows } from './errors.js';
import { escape, inline } from './markdown.js';
import { STYLE } from './page.style.js';

type Row = ReturnType<typeof codeRows>[number];

/** Every code at an anchor of its own, as a page that needs nothing else. */
export function errorsPage(): string {
  const rows = codeRows();
  const statuses = [...new Set(rows.map(({ status }) => status))];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Errors</title>
<style>${STYLE}</style>
</head>
<body>
<nav>
<p><strong>Errors</strong></p>
<p><a href="/docs">The whole description</a></p>
<ul><li><a href="#${INVALID_FIELD}">a wrong field</a></li></ul>
${statuses.map(status => navigation(status, ofStatus(rows, status))).join('\n')}
</nav>
<main>
<h1>Errors</h1>
<p>Every failure is <code>{ok: false, error, code, retryable}</code>. <code>code</code> is one of these, or the name of
a wrong field. Who sends <code>accept: application/problem+json</code> gets an RFC 9457 document, whose
<code>type</code> is the address of the code here: <code>${ERRORS_PATH}#&lt;code&gt;</code>.</p>
${invalidField()}
${statuses.map(status => group(status, ofStatus(rows, status))).join('\n')}
</main>
</body>
</html>
`;
}

const ofStatus = (rows: readonly Row[], status: number) => rows.filter(row => row.status === status);

function navigation(status: number, rows: readonly Row[]): string {
  const links = rows.map(({ code }) => `<li><a href="#${code}">${code}</a></li>`);
  return `<p>${status}</p><ul>${links.join('')}</ul>`;
}

const group = (status: number, rows: readonly Row[]) =>
  `<h2 id="status-${status}">${status}</h2>\n${rows.map(section).join('\n')}`;

function section({ code, status, retryable, meaning, remedy }: Row): string {
  return `<section id="${code}">
<h3>${code}</h3>
<p>${inline(meaning)}</p>
<p><strong>What to do:</strong> ${inline(remedy)}</p>
<p><small>Status ${status}. ${retryable ? 'The same request can succeed later.' : 'The same request cannot succeed later.'}</small></p>
</section>`;
}

function invalidField(): string {
  const rows = Object.entries(REASONS).map(
    ([reason, meaning]) => `<tr id="reason-${reason}"><td><code>${reason}</code></td><td>${escape(meaning)}</td></tr>`,
  );
  return `<h2>A wrong field</h2>
<section id="${INVALID_FIELD}">
<h3>The name of a field</h3>
<p>A 400 about fields has the name of the first wrong one as its code and in <code>field</code>. <code>reason</code>
says what is wrong with it, and <code>fields</code> names every wrong one with its reason and a sentence.</p>
<p><strong>What to do:</strong> Mend all that <code>fields</code> names, and send the request again.</p>
<p><small>Status 400. The same request cannot succeed later.</small></p>
<table><thead><tr><th>reason</th><th>what is wrong</th></tr></thead><tbody>
${rows.join('\n')}
</tbody></table>
</section>`;
}
