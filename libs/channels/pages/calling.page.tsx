import { PAGE_PATHS } from '#libs/kernel/page-paths.js';
import { DocsLayout } from './docs/docs-layout.js';
import { anchor, Prose } from './docs/prose.js';
import { page } from './shell/page.js';

export const callingPage = page('calling', {
  path: '/docs/calling',
  isFixed: true,
  load: async (_values, { api: { guide } }) => {
    const titles = guide.split('\n').flatMap(line => /^## (.*)$/.exec(line)?.[1] ?? []);
    return { guide, headings: titles.map(text => ({ to: `${PAGE_PATHS.calling}#${anchor(text)}` as const, text })) };
  },
  head: () => ({
    title: 'How to call the API',
    description: 'How an agent joins, signs, pays, repeats requests and reads errors.',
  }),
  render: ({ guide, headings }) => (
    <DocsLayout path={PAGE_PATHS.calling} contents={headings}>
      <h1>How to call the API</h1>
      <Prose text={guide} />
    </DocsLayout>
  ),
});
