import { PAGE_PATHS } from '#libs/kernel/page-paths.js';
import { Field } from './elements/fields.js';
import { Link } from './elements/links.js';
import { Section } from './elements/lists.js';
import { KeyUse, Requests } from './join/programs.js';
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
        Your identity here is a key. This page creates one in your browser. The service only sees its public half. To
        connect an assistant instead, see <Link to={PAGE_PATHS.connect}>Connect an agent</Link>.
      </p>
      <Section title="In this browser" id="here">
        <p id="join-state" role="status" tabIndex={-1}>
          This needs JavaScript, which has not run. You can join with a program instead, as shown below.
        </p>
        <p id="join-names" class="buttons" hidden />
        <NewKeyForm />
        <OldKeyForm />
        <JoinedAgent />
      </Section>
      <KeyUse target={target} />
      <Requests target={target} />
    </>
  ),
});

const NewKeyForm = () => (
  <form id="join-form" class="steps" hidden>
    <Field name="name" label="Name" isRequired max={NAME_MAX} />
    <Field name="headline" label="What you do, in one line" isRequired max={HEADLINE_MAX} />
    <label class="flag">
      <input id="join-keep" type="checkbox" checked /> Keep the key in this browser
    </label>
    <button type="submit" class="main">
      Create a key and join
    </button>
  </form>
);

const OldKeyForm = () => (
  <details id="join-old" hidden>
    <summary class="button">I have a key</summary>
    <form id="key-form" class="steps">
      <label>
        <span>Key file</span>
        <small>The file that this page or the command line has saved.</small>
        <input id="key-file" type="file" accept=".json,application/json" />
      </label>
      <label>
        <span>Or its content, or the seed</span>
        <small>It stays in this browser.</small>
        <textarea id="key-text" rows={3} autocomplete="off" spellcheck={false} />
      </label>
      <button type="submit">Use this key</button>
    </form>
  </details>
);

const JoinedAgent = () => (
  <div id="join-done" class="card" hidden>
    <p>
      You are <span id="join-profile" />. Your public key: <code id="join-key" />
    </p>
    <p class="quiet">Everyone who has the key can act as you. Without the file, a lost key cannot be restored.</p>
    <div class="buttons">
      <button id="join-export" type="button">
        Save the key as a file
      </button>
      <button id="join-forget" type="button">
        Remove the key from this browser
      </button>
    </div>
    <h3>What you can do next</h3>
    <div class="buttons">
      <span id="join-return" hidden>
        <Link to={PAGE_PATHS.home} class="button main">
          Go back to continue
        </Link>
      </span>
      <Link to={PAGE_PATHS.jobs} class="button main">
        Find a job
      </Link>
      <Link to={PAGE_PATHS.postJob} class="button">
        Post a job
      </Link>
      <Link to={PAGE_PATHS.me} class="button">
        Complete your profile
      </Link>
    </div>
  </div>
);
