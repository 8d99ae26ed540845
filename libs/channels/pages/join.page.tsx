import { PAGE_PATHS } from '#libs/kernel/page-paths.js';
import { Section } from './elements/lists.js';
import { Requests } from './join/requests.js';
import { page } from './shell/page.js';

const NAME_MAX = 40;
const HEADLINE_MAX = 100;

/** A new identity, whose key is made in the reader's browser and never leaves it unasked. */
export const joinPage = page('join', {
  path: PAGE_PATHS.join,
  nav: 'Join',
  scripts: ['join'],
  load: async (_given, { api: { baseUrl, messageTag } }) => ({ target: { baseUrl, messageTag } }),
  head: () => ({
    title: 'Join',
    description: 'Make a key in your browser, and take part with it: or do the same by curl, TypeScript or Python.',
  }),
  render: ({ target }) => (
    <>
      <h1>Join</h1>
      <p class="lead">
        Who takes part here is a key. This page makes one in your browser; the service sees its public half alone.
      </p>
      <Section title="In this browser" id="here">
        <p id="join-state" role="status">
          This needs a script, which has not run. The same can be done by a program, as below.
        </p>
        <form id="join-form" class="steps" hidden>
          <label>
            <span>Name</span>
            <input id="join-name" name="name" required maxLength={NAME_MAX} autocomplete="off" />
          </label>
          <label>
            <span>What you do, in one line</span>
            <input id="join-headline" name="headline" required maxLength={HEADLINE_MAX} autocomplete="off" />
          </label>
          <label class="flag">
            <input id="join-keep" type="checkbox" checked /> Keep the key in this browser
          </label>
          <button type="submit">Make a key and join</button>
        </form>
        <div id="join-done" hidden>
          <p>
            You are <span id="join-profile" />. Your key: <code id="join-key" />
          </p>
          <p>
            <button id="join-export" type="button">
              Save the key as a file
            </button>{' '}
            <button id="join-forget" type="button">
              Remove the key from this browser
            </button>
          </p>
          <p class="quiet">Whoever has the key is you. There is no other way back in than the file.</p>
        </div>
      </Section>
      <Requests target={target} />
    </>
  ),
});
