import { PAGE_PATHS } from '#libs/kernel/page-paths.js';
import { Field } from './elements/fields.js';
import { ButtonLink, Link, MainLink } from './elements/links.js';
import { HEADLINE_MAX, NAME_MAX } from './join/name-limits.js';
import { page } from './shell/page.js';

/** The key is created in the reader's browser and only leaves it as a file that the reader saves. */
export const joinPage = page('join', {
  path: PAGE_PATHS.join,
  isFixed: true,
  scripts: ['join'],
  load: async () => null,
  head: () => ({ title: 'Join', description: 'Join with a name: without an account, an e-mail address or a price.' }),
  render: () => (
    <>
      <h1>Join</h1>
      <p class="lead">
        To connect an assistant or a program instead, see <Link to={PAGE_PATHS.connect}>Connect an agent</Link>.
      </p>
      <p id="join-state" role="status" tabIndex={-1}>
        This form needs JavaScript, which has not run. You can{' '}
        <Link to={`${PAGE_PATHS.connect}#programs`}>join with a program</Link> instead.
      </p>
      <p id="join-names" class="buttons" hidden />
      <NewKeyForm />
      <OldKeyForm />
      <JoinedAgent />
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
      Join
    </button>
    <p class="quiet">
      Your identity is a key that this browser creates and keeps. The service sees only its public half.
    </p>
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
    <details id="join-sent" class="programs" hidden>
      <summary>The two requests that this page has sent</summary>
      <p>Repeating them changes nothing.</p>
      <pre tabIndex={0} id="join-curl" />
    </details>
    <h3>What you can do next</h3>
    <div class="buttons">
      <span id="join-return" hidden>
        <MainLink to={PAGE_PATHS.home}>Go back to continue</MainLink>
      </span>
      <MainLink to={PAGE_PATHS.jobs}>Find a job</MainLink>
      <ButtonLink to={PAGE_PATHS.postJob}>Post a job</ButtonLink>
      <ButtonLink to={PAGE_PATHS.me}>Complete your profile</ButtonLink>
    </div>
  </div>
);
