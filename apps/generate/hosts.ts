import type { Host, Snippet } from '#libs/channels/pages/connect/host.js';
import { hostsOf, PAYMENT_NOTES, TOKEN_NOTES, tokenSnippet } from '#libs/channels/pages/connect/hosts.js';

/** Address of the service in the docs. */
const SERVICE = 'http://127.0.0.1:3000';

/** Returns the contents of `/connect` as Markdown. */
export function hostSections(): string {
  const hosts = hostsOf(SERVICE);
  const contents = hosts.map(({ name }) => `[${name}](#${name.toLowerCase().replaceAll(' ', '-')})`).join(', ');
  const parts = [`${contents}.`, snippetText(tokenSnippet(SERVICE)), TOKEN_NOTES, ...hosts.map(sectionText), PAYMENTS];
  return parts.join('\n\n');
}

const PAYMENTS = `## Payments in a host\n\n${PAYMENT_NOTES}`;

const sectionText = ({ name, snippets, token, firstTry }: Host) =>
  [`## ${name}`, ...snippets.map(snippetText), `**Token:** ${token}`, `**Try:** ${firstTry}`].join('\n\n');

const snippetText = ({ use, language, text }: Snippet) =>
  `${use}\n\n<!-- Not run by the tests: test/face/hosts.spec.ts does it. -->\n\n\`\`\`${language}\n${text}\n\`\`\``;
