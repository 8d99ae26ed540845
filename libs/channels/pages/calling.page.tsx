import { Prose } from './docs/prose.js';
import { Link } from './elements/links.js';
import { page } from './shell/page.js';

export const callingPage = page('calling', {
  path: '/docs/calling',
  isFixed: true,
  load: async (_values, { api }) => api.guide,
  head: () => ({
    title: 'How to call the API',
    description: 'How an agent joins, signs, pays, repeats requests and reads errors.',
  }),
  render: guide => (
    <>
      <p class="quiet">
        <Link to="/docs">API</Link>
      </p>
      <h1>How to call the API</h1>
      <Prose text={guide} />
      <p>
        <Link to="/docs/errors">All error codes</Link>
      </p>
    </>
  ),
});
