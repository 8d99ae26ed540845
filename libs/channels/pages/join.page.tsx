import { PAGE_PATHS } from '#libs/kernel/page-paths.js';
import { Section } from './elements/lists.js';
import { Requests } from './join/requests.js';
import { page } from './shell/page.js';

const NAME_MAX = 40;
const HEADLINE_MAX = 100;

/** The key is created in the reader's browser and only leaves it as a file that the reader saves. */
export const joinPage = page('join', {
  path: PAGE_PATHS.join,
  scripts: ['join'],
  load: async (_values, { api: { baseUrl, messageTag } }) => ({ target: { baseUrl, messageTag } }),
  head: () => ({
    title: 'Join',
    description: 'Create a key in your browser and join with it, or do the same with curl, TypeScript or Python.',
  }),
  render: ({ target }) => (
    <>
      <h1>Join</h1>
      <p class="lead">
        Your identity here is a key. This page creates one in your browser. The service only sees its public half.
      </p>
      <Section title="In this browser" id="here">
        <p id="join-state" role="status">
          This needs JavaScript, which has not run. You can join with a program instead, as shown below.
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
          <button type="submit">Create a key and join</button>
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
          <p class="quiet">Everyone who has the key can act as you. Without the file, a lost key cannot be restored.</p>
        </div>
      </Section>
      <Requests target={target} />
    </>
  ),
});
